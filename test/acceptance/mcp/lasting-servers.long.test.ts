// MCP servers that serve more than one call: what they keep, what ends them, and what their receipts say.
import {openTokenStore, startHttpServer, type Host, type Session} from '@lumenflow/host';
import {StreamableHTTPClientTransport, type ElicitResult} from '@modelcontextprotocol/client';
import type {PackPin, ToolOutput} from '@lumenflow/schemas';
import {readdirSync, readFileSync} from 'node:fs';
import {join, relative} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import type {HostWorkspace} from '../../support/host-workspace.ts';
import {startHostProcess} from '../../support/host-process.ts';
import {createClient, eras} from '../../support/mcp-desk.ts';
import {opened} from '../../support/opened.ts';
import {makeUpstream, run} from '../../support/upstream-workspace.ts';

const folder = join(import.meta.dirname, 'lasting-server');

describe('a server that lasts', () => {
  let workspace: HostWorkspace;
  let host: Host;
  beforeAll(async () => {
    workspace = makeUpstream((root) => {
      const pin = (id: string, more: Partial<PackPin>): PackPin => ({
        id,
        version: '1.0.0',
        integrity: 'dev',
        source: 'mcp',
        // The id differs between the processes.
        command: ['node', join(folder, 'server.mjs'), `${id}-of-${root}`],
        path: relative(root, folder),
        tools: {count: {permission: 'read'}, count_again: {permission: 'read', idempotent: true}},
        ...more,
      });
      return [
        pin('brief', {}),
        pin('session', {lifetime: 'session'}),
        pin('task', {lifetime: 'task'}),
        pin('shared', {lifetime: 'workspace'}),
        pin('idle', {lifetime: 'session', idle_ms: 1_000}),
        pin('weak', {lifetime: 'session'}),
      ];
    });
    expect(await run(workspace.root, 'pack', 'install')).not.toContain('"error"');
    for (const id of ['brief', 'session', 'task', 'shared', 'idle', 'weak'])
      await run(workspace.root, 'pack', 'approve', id, '--as', 'olga');
    host = await workspace.start();
  }, 120_000);
  afterAll(async () => {
    await workspace.remove();
  });

  const open = async (by = 'ann', task_id?: string): Promise<Session> =>
    opened(await host.openSession({by, ...(task_id !== undefined && {task_id})}));
  const textOf = ({data, error}: ToolOutput): string | undefined =>
    error?.code ?? (data as {readonly content: readonly {readonly text: string}[]}).content[0]?.text;
  const receiptOf = async ({metadata}: ToolOutput) => await host.runtime.evidence.receipt(metadata?.receipt_id ?? '');
  const serverOf = async (output: ToolOutput) => (await receiptOf(output))?.finished?.enforcement?.server;
  /** Servers of a pin that run. */
  const running = (id: string): number => processesWith(`${id}-of-${workspace.root}`).length;

  it('keeps its state for its session, and no other session sees it', async () => {
    const [ann, ben] = [await open(), await open('ben')];
    const outputs = [await ann.call('session:count', {}), await ann.call('session:count-again', {})];
    expect([...outputs, await ben.call('session:count', {})].map(textOf)).toEqual(['1', '2', '1']);
    expect(await serverOf(outputs[1] as ToolOutput)).toEqual({lifetime: 'session', start: 1, call: 2});
    expect([await ann.call('brief:count', {}), await ann.call('brief:count', {})].map(textOf)).toEqual(['1', '1']);
    expect([await ann.call('shared:count', {}), await ben.call('shared:count', {})].map(textOf)).toEqual(['1', '2']);
    expect(running('session')).toBe(2);
    await ann.release('done');
    await expect.poll(() => running('session')).toBe(1);
    await ben.release('done');
    await expect.poll(() => running('session')).toBe(0);
    expect(running('shared')).toBe(1);
  });

  it('ends with the claim of its task', async () => {
    await host.runtime.createTask({id: 'errand', title: 'An errand', lane_id: 'core'}, {by: 'ann'});
    const session = await open('ann', 'errand');
    expect([await session.call('task:count', {}), await session.call('task:count', {})].map(textOf)).toEqual([
      '1',
      '2',
    ]);
    await session.complete();
    await expect.poll(() => running('task')).toBe(0);
  });

  it('ends after a time without calls, and the next receipt says so', async () => {
    const session = await open();
    await session.call('idle:count', {});
    await expect.poll(() => running('idle'), {timeout: 60_000}).toBe(0);
    const next = await session.call('idle:count', {});
    expect(textOf(next)).toBe('1');
    expect(await serverOf(next)).toEqual({lifetime: 'session', start: 2, call: 1, restarted_after: 'idle'});
  });

  it.each(['crash', 'crash-later'])('is started again after a crash, with a notice: %s', async (how) => {
    const session = await open();
    await session.call('session:count', {});
    const failed = await session.call('session:count', {do: how});
    if (how === 'crash') {
      expect(failed.error).toMatchObject({
        code: 'UPSTREAM_FAILED',
        message: expect.stringContaining('`session` failed'),
        details: {server: 'session', ended: true, remedy: expect.any(String)},
      });
    } else await delay(500);
    const next = await session.call('session:count', {});
    expect(textOf(next)).toBe('1');
    expect(await serverOf(next)).toEqual({lifetime: 'session', start: 2, call: 1, restarted_after: 'crash'});
    const log = await host.runtime.evidence.readBlob((await receiptOf(next))?.finished?.log_ref ?? '');
    expect(log).toContain('was started again, without its earlier state (crash)');
    await session.release('done');
  });

  it('stays when it reports a failure, or a call is cancelled, and receives the cancellation', async () => {
    const session = await open();
    expect(textOf(await session.call('session:count', {do: 'fail'}))).toBe('TOOL_EXECUTION_FAILED');
    const signal = AbortSignal.timeout(500);
    expect(textOf(await session.call('session:count', {do: 'hang'}, {signal}))).toBe('TOOL_CANCELLED');
    expect(textOf(await session.call('session:count', {do: 'lie'}))).toBe('UPSTREAM_FAILED');
    expect(textOf(await session.call('session:count', {}))).toBe('4');
    expect(textOf(await session.call('session:count', {do: 'cancelled'}))).toBe('1');
    await session.release('done');
  });

  it('is replaced if it does not reply any more after a call that it did not finish', async () => {
    const session = await open();
    const signal = AbortSignal.timeout(1_500);
    expect(textOf(await session.call('session:count', {do: 'freeze'}, {signal}))).toBe('TOOL_CANCELLED');
    expect((await session.call('session:count', {})).error).toMatchObject({
      code: 'UPSTREAM_FAILED',
      message: expect.stringContaining('it has not replied since a call that it did not finish'),
      details: {ended: true},
    });
    const next = await session.call('session:count', {});
    expect(await serverOf(next)).toEqual({lifetime: 'session', start: 2, call: 1, restarted_after: 'crash'});
    await session.release('done');
  });

  it('continues a call that asked only for the session and the tool that made it', async () => {
    const [ann, ben] = [await open(), await open('ben')];
    const {data} = await ann.call('shared:count', {do: 'ask'});
    const {requestState: request_state} = data as {readonly requestState: string};
    const answer = {request_state, input_responses: {'question-1': {action: 'accept', content: {name: 'Ann'}}}};
    expect(textOf(await ben.call('shared:count', answer))).toBe('INVALID_INPUT');
    expect(textOf(await ann.call('shared:count-again', answer))).toBe('INVALID_INPUT');
    expect((await ann.call('shared:count', answer)).data).toMatchObject({
      inputRequests: {'question-1': {params: {message: 'And that of your cat, Ann?'}}},
    });
  });

  it('runs calls of its session one after another', async () => {
    const session = await open();
    const outputs = await Promise.all([1, 2, 3].map(async () => await session.call('session:count', {})));
    expect(outputs.map(textOf)).toEqual(['1', '2', '3']);
    await session.release('done');
  });

  it('reports progress and log messages', async () => {
    const session = await open();
    const progress: unknown[] = [];
    const output = await session.call('session:count', {do: 'say'}, {onProgress: (payload) => progress.push(payload)});
    expect(progress).toMatchObject([{progress: 1, total: 100}]);
    const log = await host.runtime.evidence.readBlob((await receiptOf(output))?.finished?.log_ref ?? '');
    expect(log).toContain('as the server sees it');
    await session.release('done');
  });

  it('is not called once it announced other tools', async () => {
    const session = await open();
    expect(textOf(await session.call('session:count', {do: 'change'}))).toBe('1');
    expect((await session.call('session:count', {})).error).toMatchObject({code: 'UPSTREAM_CHANGED'});
    await session.release('done');
  });

  it('is called again at once if the tool is idempotent, and not at all while it keeps crashing', async () => {
    const session = await open();
    const repeated = await session.call('weak:count-again', {do: 'crash'});
    expect(textOf(repeated)).toBe('UPSTREAM_FAILED');
    expect(await serverOf(repeated)).toMatchObject({start: 2, restarted_after: 'crash'});
    for (const _ of [1, 2]) await session.call('weak:count', {do: 'crash'});
    const refused = await session.call('weak:count', {});
    expect(refused.error).toMatchObject({
      code: 'UPSTREAM_FAILED',
      message: expect.stringMatching(/`weak` ended in the last 3 calls: retry in \d+ s/),
      details: {retryable: true, retry_after_ms: expect.any(Number)},
    });
    expect(running('weak')).toBe(0);
    await session.release('done');
  });

  it.each(eras)('asks the user of an MCP client, each round in its own call: %s', async (era) => {
    const tokens = openTokenStore(workspace.root);
    const token = await tokens.issue({name: `cleo-${era}`, role: 'agent'});
    const server = await startHttpServer(host, {tokens, version: '0.0.0'});
    const client = createClient(era, {capabilities: {elicitation: {form: {}}}});
    const asked: string[] = [];
    client.setRequestHandler('elicitation/create', async ({params}): Promise<ElicitResult> => {
      asked.push(params.message);
      return {action: 'accept', content: {name: asked.length === 1 ? 'Cleo' : 'Tom'}};
    });
    const requestInit = {headers: {authorization: `Bearer ${token}`}};
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {requestInit}));
    const {tools} = await client.listTools();
    expect(tools.find(({name}) => name === 'session_count')?.inputSchema.properties).toEqual({do: {type: 'string'}});
    const result = await client.callTool({name: 'session_count', arguments: {do: 'ask'}});
    expect(result.content).toEqual([{type: 'text', text: 'Cleo has Tom, accept'}]);
    expect(asked).toEqual(['Your name?', 'And that of your cat, Cleo?']);
    await client.close();
    await server.close();
  });

  it('ends with its host, also when the host is killed', async () => {
    const other = await startHostProcess(workspace.root);
    await other.ask('open', {by: 'ann'});
    expect(textOf(await other.call('idle:count', {}))).toBe('1');
    expect(textOf(await other.call('task:count', {}))).toBe('1');
    expect(running('task')).toBe(1);
    await other.kill();
    await expect.poll(() => running('task') + running('idle')).toBe(0);
    const third = await startHostProcess(workspace.root);
    await third.ask('open', {by: 'ann'});
    await third.call('task:count', {});
    await third.close();
    expect(running('task')).toBe(0);
  });
});

/** Of Node, whose command line contains a text. */
function processesWith(text: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('node\0') && commandOf(pid).includes(text);
    } catch {
      // Ended since it was listed.
      return false;
    }
  });
}

function commandOf(pid: string): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
}
