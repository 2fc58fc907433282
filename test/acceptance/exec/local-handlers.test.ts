// Functions of the embedding program as tools: found, decided, run in its process and recorded as all tools are.
import type {Host, LocalHandlers, Session} from '@lumenflow/host';
import {isKernelError} from '@lumenflow/kernel';
import {afterAll, beforeAll, expect, it, vi} from 'vitest';
import {makeHostWorkspace, type HostWorkspace, type HostWorkspaceWords} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

const find = {
  description: 'Finds an order by its number',
  permission: 'read',
  input_schema: {type: 'object', properties: {id: {type: 'string'}}, required: ['id'], additionalProperties: false},
  output_schema: {type: 'object', properties: {state: {type: 'string'}}, required: ['state']},
  run: ({id}: {readonly id: string}) => ({state: id === 'A-1' ? 'sent' : 'unknown'}),
} as const;

let resume = (): void => {};
let late: Promise<unknown> | undefined;
let runs = 0;
const handlers: LocalHandlers = {
  'orders:find': find,
  'orders:broken': {...find, run: () => ({state: 7})},
  'orders:refund': {run: () => 'refunded'},
  'orders:grab': {
    permission: 'read',
    run: (input: Record<string, unknown>) => {
      input['id'] = 'changed';
      return input;
    },
  },
  'notes:first': {
    permission: 'read',
    required_scopes: [{type: 'path', pattern: 'notes/**', access: 'read'}],
    run: async ({path}: {readonly path: string}, context) => {
      await context.progress({step: 1});
      context.log.info('reading');
      const nested = await context.callTool('notes:echo', {path});
      return {text: await context.fs.readText(path), nested: nested.data};
    },
  },
  'notes:echo': {permission: 'read', internal_only: true, run: (input: unknown) => input},
  'notes:save': {
    permission: 'admin',
    required_scopes: [{type: 'path', pattern: 'notes/**', access: 'write'}],
    run: async (_input: unknown, {fs}) => await fs.write('notes/b.txt', 'new'),
  },
  'slow:wait': {
    permission: 'read',
    timeout_ms: 20,
    run: async (_input, context) => {
      await new Promise<void>((resolve) => (resume = resolve));
      late = context.callTool('orders:find', {id: 'late'});
      await late;
    },
  },
  'slow:obeys': {
    permission: 'read',
    run: async (_input, {signal}) =>
      await new Promise((resolve) => signal.addEventListener('abort', () => resolve('stopped'))),
  },
  'loop:again': {
    permission: 'read',
    run: async (_input, context) => {
      runs += 1;
      return (await context.callTool('loop:again', {})).data ?? null;
    },
  },
};

it('are replaced while the host runs, unless one of them is invalid', async () => {
  const other = makeHostWorkspace();
  try {
    const running = await other.start({handlers: {}});
    const open = opened(await running.openSession({by: 'test'}));
    expect(await open.call('orders:find', {id: 'A-1'})).toMatchObject({error: {code: 'TOOL_NOT_FOUND'}});
    const changes: unknown[] = [];
    running.runtime.packs.subscribe((change) => changes.push(change.type));
    expect(await running.setHandlers({'orders:find': find})).toMatchObject({status: 'changed'});
    expect(await open.call('orders:find', {id: 'A-1'})).toMatchObject({data: {state: 'sent'}});
    const invalid = {...find, description: ''};
    expect(await running.setHandlers({'orders:other': invalid})).toMatchObject({
      status: 'failed',
      problems: [{code: 'LOCAL_HANDLER_INVALID'}],
    });
    expect(await open.call('orders:find', {id: 'A-1'})).toMatchObject({success: true});
    for (const taken of ['code:run', 'kernel:show-task'])
      expect(await running.setHandlers({[taken]: find})).toMatchObject({status: 'failed'});
    let end: ((value: string) => void) | undefined;
    const slow = {run: async () => await new Promise<string>((resolve) => (end = resolve))};
    expect(await running.setHandlers({'orders:slow': slow})).toMatchObject({status: 'changed'});
    const called = open.call('orders:slow', {});
    await vi.waitFor(() => expect(end).toBeDefined(), {timeout: 60_000});
    const quick = {run: () => 'replaced'};
    expect(await running.setHandlers({'orders:slow': quick})).toMatchObject({status: 'changed'});
    expect(await open.call('orders:slow', {})).toMatchObject({data: 'replaced'});
    end?.('as it began');
    expect(await called).toMatchObject({success: true, data: 'as it began'});
    expect(await running.setHandlers({})).toMatchObject({status: 'changed'});
    expect(await open.call('orders:find', {id: 'A-1'})).toMatchObject({error: {code: 'TOOL_NOT_FOUND'}});
    expect(changes).toEqual(Array.from({length: 4}, () => 'tools_changed'));
    const without = await other.start();
    await expect(without.setHandlers({})).rejects.toThrow('without `handlers`');
  } finally {
    await other.remove();
  }
});

const closed: HostWorkspaceWords = {
  files: {'notes/a.txt': 'one', 'secret.txt': 'two'},
  spec: {
    policies: {
      default_decision: 'allow',
      rules: [
        {
          id: 'no-refunds',
          trigger: 'on_tool_request',
          decision: 'deny',
          reason: 'the desk is closed',
          when: {permission: ['write']},
        },
      ],
    },
  },
};

const workspaces: HostWorkspace[] = [];
let host: Host;
let session: Session;
beforeAll(async () => ({host, session} = await start(closed)));
afterAll(async () => {
  await Promise.all(workspaces.map((workspace) => workspace.remove()));
});

async function start(words: HostWorkspaceWords): Promise<{readonly host: Host; readonly session: Session}> {
  const workspace = makeHostWorkspace(words);
  workspaces.push(workspace);
  const started = await workspace.start({handlers, warmSandboxes: false});
  return {host: started, session: opened(await started.openSession({by: 'shop'}))};
}

it('runs a function of this program as a tool, with evidence', async () => {
  const output = await session.call('orders:find', {id: 'A-1'});
  expect(output).toMatchObject({success: true, data: {state: 'sent'}});
  const receipt = await host.runtime.evidence.receipt(output.metadata?.receipt_id ?? '');
  expect(receipt).toMatchObject({
    started: {tool_name: 'orders:find', pack_id: 'local', by: 'shop'},
    finished: {result: 'success'},
  });
  expect((await session.tools()).map(({tool}) => tool.name)).toContain('orders:find');
});

it('validates input and output, and obeys policy, like every tool', async () => {
  expect(await session.call('orders:find', {id: 7})).toMatchObject({error: {code: 'INVALID_INPUT'}});
  expect(await session.call('orders:broken', {id: 'x'})).toMatchObject({error: {code: 'INVALID_OUTPUT'}});
  // A function without a permission may change something.
  expect(await session.call('orders:refund', {})).toMatchObject({error: {code: 'POLICY_DENIED'}});
});

it('gives the function the context of any handler, within its scopes', async () => {
  const progress: unknown[] = [];
  const output = await session.call(
    'notes:first',
    {path: 'notes/a.txt'},
    {onProgress: (payload) => progress.push(payload)},
  );
  expect(output).toMatchObject({success: true, data: {text: 'one', nested: {path: 'notes/a.txt'}}});
  expect(progress).toEqual([{step: 1}]);
  expect(await session.call('notes:first', {path: 'secret.txt'})).toMatchObject({error: {code: 'SCOPE_DENIED'}});
  expect(await session.call('notes:echo', {})).toMatchObject({error: {code: 'TOOL_NOT_FOUND'}});
});

it('changes files only where the workspace agrees to direct writes', async () => {
  const remedy = expect.stringContaining('direct_writes') as string;
  expect(await session.call('notes:save', {})).toMatchObject({
    error: {code: 'SANDBOX_UNAVAILABLE', details: {remedy}},
  });
  const agreed = await start({direct: ['notes:save'], files: {'notes/a.txt': 'one'}});
  const output = await agreed.session.call('notes:save', {});
  expect(output).toMatchObject({success: true, metadata: {artifacts_written: ['notes/b.txt']}});
});

it('ends a call whose function does not end, and drops what it still requests', async () => {
  const output = await session.call('slow:wait', {});
  expect(output).toMatchObject({error: {code: 'TOOL_TIMEOUT'}});
  resume();
  const cancelling = new AbortController();
  const cancelled = session.call('slow:obeys', {}, {signal: cancelling.signal});
  setTimeout(() => cancelling.abort(), 5);
  expect(await cancelled).toMatchObject({error: {code: 'TOOL_CANCELLED'}});
  expect(late).toBeDefined();
  const {receipts} = await host.runtime.evidence.readTraces({tool_name: 'orders:find', limit: 1});
  expect(receipts[0]?.started.parent_receipt_id).toBeUndefined();
});

it('gives the function a copy of the input', async () => {
  const input = {id: 'A-1'};
  expect(await session.call('orders:grab', input)).toMatchObject({data: {id: 'changed'}});
  expect(input).toEqual({id: 'A-1'});
});

it('bounds calls that a function makes of itself', async () => {
  await session.call('loop:again', {});
  expect(runs).toBe(8);
});

it('reports every mistake in the handlers when the host starts', async () => {
  const workspace = makeHostWorkspace();
  workspaces.push(workspace);
  const wrong = {
    'Orders:Find': find,
    'orders:typed': {...find, input_schema: {type: 'objekt'}},
    'kernel:show-task': find,
    'orders:empty': {} as typeof find,
  };
  const failure: unknown = await workspace.start({handlers: wrong}).catch((error: unknown) => error);
  expect(isKernelError(failure) && failure.problems.map(({code, where}) => `${code} ${where}`)).toEqual([
    expect.stringContaining('LOCAL_HANDLER_INVALID handlers["Orders:Find"]'),
    'LOCAL_HANDLER_INVALID handlers["orders:empty"]',
    'LOCAL_HANDLER_INVALID handlers["kernel:show-task"]',
    'SCHEMA_INVALID handlers["orders:typed"]',
  ]);
});
