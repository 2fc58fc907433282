// The exec facade on a host with local handlers: what a session finds, reads, runs and chains.
import type {LocalHandlers} from '@lumenflow/host';
import {expect, it} from 'vitest';
import {handlersWorkspace} from './handlers-workspace.fixture.ts';

const id = {type: 'object', properties: {id: {type: 'string'}}, required: ['id'], additionalProperties: false};
const handlers: LocalHandlers = {
  'orders:find': {
    description: 'Finds an order by its number. Returns its state.',
    permission: 'read',
    input_schema: {...id, examples: [{id: 'A-1'}, {number: 1}, {id: 'A-2'}]},
    output_schema: {type: 'object'},
    idempotent: true,
    run: (order: {readonly id: string}) => ({...order, state: 'sent', lines: [{sku: 'pen', count: 2}]}),
  },
  'orders:refund': {description: 'Pays money back to a customer.', run: (input: unknown) => ({refunded: input})},
  'orders:purge': {description: 'Removes all orders.', permission: 'admin', run: () => null},
  'mail:send': {
    description: 'Sends a letter.',
    permission: 'read',
    run: async (input: unknown, {progress}) => {
      await progress({percent: 50});
      return {sent: input};
    },
  },
  'mail:fail': {
    description: 'Always fails.',
    permission: 'read',
    run: () => {
      throw new Error('the mailbox is full');
    },
  },
  'slow:wait': {
    permission: 'read',
    run: async (_input, {signal}) =>
      await new Promise((resolve) => signal.addEventListener('abort', () => resolve(null))),
  },
};

const shop = handlersWorkspace({handlers, asks: 'orders:refund', denies: 'orders:purge'});

it('finds tools by what they do, with what policy says', async () => {
  expect(await shop.exec.searchTools('look up an order')).toContainEqual({
    id: 'orders:find',
    summary: 'Finds an order by its number',
    namespace: 'orders',
    permission: 'read',
    policy: 'allowed',
  });
  expect((await shop.exec.searchTools('refnd', {limit: 1}))[0]).toMatchObject({
    id: 'orders:refund',
    policy: 'approval_required',
  });
  expect((await shop.exec.searchTools('order letter', {namespace: 'mail'})).map((tool) => tool.id)).toEqual([
    'mail:send',
  ]);
  expect((await shop.exec.searchTools('orders', {permission: 'write'})).map((tool) => tool.id)).toEqual([
    'orders:refund',
  ]);
});

it('does not find what the session may never call', async () => {
  expect((await shop.exec.searchTools('remove all orders')).map((tool) => tool.id)).not.toContain('orders:purge');
  expect(await shop.exec.getToolDoc('orders:purge')).toMatchObject({ok: false, problem: {code: 'TOOL_NOT_FOUND'}});
  expect(await shop.exec.listNamespaces()).toContainEqual({namespace: 'orders', tools: 2});
});

it('documents a tool in three levels, with examples that its schema accepts', async () => {
  const doc = async (level: 'summary' | 'schema' | 'full', max_examples?: number): Promise<object> => {
    const found = await shop.exec.getToolDoc('orders:find', {level, max_examples});
    return found.ok ? found.value : found.problem;
  };
  expect(Object.keys(await doc('summary'))).toEqual(['id', 'summary', 'namespace', 'permission', 'policy']);
  expect(await doc('schema')).toMatchObject({description: handlers['orders:find']?.description, output_schema: {}});
  expect(await doc('full')).toMatchObject({
    pack_id: 'local',
    idempotent: true,
    granted_scopes: {read: [], write: []},
    examples: [{id: 'A-1'}, {id: 'A-2'}],
  });
  expect(await doc('full', 1)).toMatchObject({examples: [{id: 'A-1'}]});
  expect(await shop.exec.getToolDoc('orders:fnid')).toMatchObject({
    problem: {
      message: 'there is no tool `orders:fnid`: did you mean `orders:find`?',
      details: {nearest: 'orders:find'},
    },
  });
});

it('runs a tool as the session does, and names its evidence', async () => {
  const progress: unknown[] = [];
  const run = await shop.exec.runTool('mail:send', {to: 'ann'}, {on_progress: (payload) => progress.push(payload)});
  expect(run).toEqual({
    value: {sent: {to: 'ann'}},
    tool_id: 'mail:send',
    duration_ms: expect.any(Number) as number,
    receipt_id: expect.stringContaining('rcp-') as string,
  });
  expect(progress).toEqual([{percent: 50}]);
  const receipt = await shop.host.runtime.evidence.receipt(run.receipt_id ?? '');
  expect(receipt?.started).toMatchObject({tool_name: 'mail:send', session_id: shop.session.session_id});
  expect(await shop.exec.runTool('mail:fail', {})).toMatchObject({
    value: null,
    error: {message: 'the mailbox is full'},
  });
  expect(await shop.exec.runTool('orders:refund', {})).toMatchObject({error: {code: 'APPROVAL_REQUIRED'}});
  expect(await shop.exec.runTool('orders:find', {id: 1})).toMatchObject({error: {code: 'INVALID_INPUT'}});
});

it('records each refusal, also of a name or a version that does not exist', async () => {
  const misspelt = await shop.exec.runTool('orders:fnid', {});
  expect(misspelt).toMatchObject({error: {code: 'TOOL_NOT_FOUND', details: {nearest: 'orders:find'}}});
  expect(await shop.exec.runTool('orders:find@1.0.0', {id: 'A-1'})).toMatchObject({tool_id: 'orders:find', value: {}});
  const other = await shop.exec.runTool('orders:find@2.0.0', {id: 'A-1'});
  expect(other.error?.message).toBe('there is no `orders:find@2.0.0`: version 1.0.0 is loaded');
  for (const {receipt_id = ''} of [misspelt, other]) {
    expect(await shop.host.runtime.evidence.receipt(receipt_id)).toMatchObject({finished: {result: 'denied'}});
  }
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  expect(await shop.exec.runTool('mail:send', cyclic)).toMatchObject({error: {code: 'INVALID_INPUT'}});
});

it('ends a call at its time limit or its cancellation', async () => {
  expect(await shop.exec.runTool('slow:wait', {}, {timeout_ms: 10})).toMatchObject({error: {code: 'TOOL_TIMEOUT'}});
  const signal = AbortSignal.timeout(10);
  expect(await shop.exec.runTool('slow:wait', {}, {signal, timeout_ms: 60_000})).toMatchObject({
    error: {code: 'TOOL_CANCELLED'},
  });
});

it('calls no tool whose output it cannot validate, if that is required', async () => {
  const refused = await shop.exec.runTool('mail:send', {}, {validate_output: true});
  expect(refused).toMatchObject({error: {code: 'INVALID_INPUT'}});
  expect(refused.receipt_id).toBeUndefined();
  expect(await shop.exec.runTool('orders:find', {id: 'A-1'}, {validate_output: true})).not.toHaveProperty('error');
});

it('passes values from step to step of a chain', async () => {
  const result = await shop.exec.runChain([
    {tool: 'orders:find', args: {id: 'A-1'}, as: 'order'},
    {tool: 'mail:send', args: {text: {$from: '/previous/state'}, items: [{$from: '/order/lines/0/sku'}]}},
    {tool: 'mail:send', use_previous: true, args: {to: 'ann'}},
    {tool: 'mail:fail', when: {value: '/order/state', is: 'lost'}},
    {tool: 'mail:fail', on_error: 'continue'},
    {tool: 'mail:send', when: {value: '/order/lines'}, args: {all: {$from: '/order'}}},
  ]);
  expect(result.error).toBeUndefined();
  expect(result.steps.map(({status}) => status)).toEqual([
    'succeeded',
    'succeeded',
    'succeeded',
    'skipped',
    'failed',
    'succeeded',
  ]);
  expect(result.steps[1]?.value).toEqual({sent: {text: 'sent', items: ['pen']}});
  expect(result.steps[2]?.value).toEqual({sent: {sent: {text: 'sent', items: ['pen']}, to: 'ann'}});
  expect(result.value).toMatchObject({sent: {all: {id: 'A-1'}}});
});

it('stops a chain at the first failure, and shows what did not run', async () => {
  const result = await shop.exec.runChain([{tool: 'orders:refund'}, {tool: 'mail:send'}]);
  expect(result).toMatchObject({
    value: null,
    steps: [{status: 'failed', receipt_id: expect.stringContaining('rcp-') as string}, {status: 'not_run'}],
    error: {code: 'APPROVAL_REQUIRED', details: {step: 0, request_id: expect.any(String) as string}},
  });
});

it('checks a whole chain before its first call, and shows every mistake', async () => {
  const before = await shop.host.runtime.evidence.readTraces({limit: 1});
  const result = await shop.exec.runChain([
    {tool: 'orders:fnid', use_previous: true},
    {tool: 'mail:send', as: 'previous', args: {deep: [{$from: '/nowhere/x'}]}},
    {tool: 'mail:send', when: {value: '/later/x'}, as: 'later'},
    {tool: 'mail:send', as: 'later', args: {wrong: {$from: 7}}},
  ]);
  expect(result).toMatchObject({steps: [], error: {code: 'INVALID_INPUT'}});
  const problems = result.error?.details?.['problems'] as readonly {readonly pointer: string}[];
  expect(problems.map(({pointer}) => pointer)).toEqual([
    '/steps/0/use_previous',
    '/steps/1/as',
    '/steps/1/args',
    '/steps/2/when/value',
    '/steps/3/as',
    '/steps/3/args',
  ]);
  expect((await shop.exec.runChain([{tool: 'orders:fnid'}])).error?.message).toContain('did you mean `orders:find`?');
  expect((await shop.exec.runChain([])).error?.code).toBe('INVALID_INPUT');
  const after = await shop.host.runtime.evidence.readTraces({limit: 1});
  expect(after.receipts[0]?.receipt_id).toBe(before.receipts[0]?.receipt_id);
});

it.each([
  ['steps', {steps: 1}, 0],
  ['tool_calls', {tool_calls: 1}, 1],
  ['output_bytes', {output_bytes: 30}, 1],
] as const)('bounds a chain by its limit of %s', async (limit, limits, calls) => {
  const steps = Array.from({length: 3}, () => ({tool: 'mail:send', args: {text: 'a letter of some length'}}));
  const result = await shop.exec.runChain(steps, {limits});
  expect(result).toMatchObject({error: {code: 'LIMIT_EXCEEDED', details: {limit}}});
  expect(result.steps.filter(({status}) => status === 'succeeded')).toHaveLength(calls);
});

it('bounds a chain in time, and cancels it', async () => {
  const steps = [{tool: 'slow:wait', on_error: 'continue'}, {tool: 'mail:send'}] as const;
  const late = await shop.exec.runChain([...steps], {limits: {wall_time_ms: 10}});
  expect(late).toMatchObject({error: {code: 'LIMIT_EXCEEDED'}, steps: [{status: 'failed'}, {status: 'not_run'}]});
  const cancelled = await shop.exec.runChain([...steps], {signal: AbortSignal.timeout(10)});
  expect(cancelled).toMatchObject({error: {code: 'TOOL_CANCELLED'}, steps: [{status: 'failed'}, {status: 'not_run'}]});
});
