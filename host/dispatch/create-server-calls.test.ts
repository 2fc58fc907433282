// Which calls of servers wait for each other, which are repeated, and when none is made.
import type {DispatchOutcome} from '@lumenflow/kernel';
import {createProcessRegistry} from '@lumenflow/kernel/node';
import type {PackPin, ToolOutput} from '@lumenflow/schemas';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, expect, test, vi} from 'vitest';
import {createServerCalls, type ServerCalls} from './create-server-calls.ts';

type ServerRequest = Parameters<ServerCalls['run']>[0];

const workspaceRoot = mkdtempSync(join(tmpdir(), 'lumenflow-servers-'));
afterAll(() => rmSync(workspaceRoot, {recursive: true}));

const clock = {now: 0};
const open = (): ServerCalls =>
  createServerCalls({workspaceRoot, processes: createProcessRegistry(), now: () => clock.now});
const requestOf = (pin: Partial<PackPin>, more: object = {}): ServerRequest =>
  ({
    tool: {declaration: {idempotent: true}, pack: {pin: {id: 'a', source: 'mcp', ...pin}}},
    session_id: 's-1',
    run_id: 'r-1',
    onLog: () => undefined,
    ...more,
  }) as unknown as ServerRequest;

const ended: ToolOutput = {success: false, error: {code: 'UPSTREAM_FAILED', message: 'gone', details: {ended: true}}};
const outcomes = (...outputs: readonly ToolOutput[]) => {
  const left = [...outputs];
  const times: number[] = [];
  return {
    times,
    call: async (timeoutMs: number): Promise<DispatchOutcome> => {
      times.push(timeoutMs);
      clock.now += 10;
      return {output: left.shift() ?? {success: true}};
    },
  };
};

test('a call of an idempotent tool is repeated once, in the time that is left', async () => {
  const calls = open();
  const repeated = outcomes(ended);
  expect((await calls.run(requestOf({}), 100, repeated.call)).output.success).toBe(true);
  expect(repeated.times).toEqual([100, 90]);
  const late = outcomes(ended, ended);
  expect((await calls.run(requestOf({}), 10, late.call)).output).toBe(ended);
  expect(late.times).toEqual([10]);
  const other = outcomes({success: false, error: {code: 'TOOL_EXECUTION_FAILED', message: ''}});
  await calls.run(requestOf({}), 100, other.call);
  const cancelled = outcomes(ended);
  await calls.run(requestOf({}, {signal: AbortSignal.abort()}), 100, cancelled.call);
  const once = outcomes(ended);
  const pack = {pin: {id: 'b', source: 'mcp'}};
  await calls.run(requestOf({}, {tool: {declaration: {}, pack}}), 100, once.call);
  expect([other, cancelled, once].map(({times}) => times.length)).toEqual([1, 1, 1]);
});

test('a clock that is set back during a call leaves its repetition no more time', async () => {
  vi.useFakeTimers({toFake: ['Date']});
  try {
    const calls = createServerCalls({workspaceRoot, processes: createProcessRegistry()});
    const repeated = outcomes(ended);
    const call = async (timeoutMs: number): Promise<DispatchOutcome> => {
      vi.setSystemTime(Date.now() - 3_600_000);
      return await repeated.call(timeoutMs);
    };
    expect((await calls.run(requestOf({}), 60_000, call)).output.success).toBe(true);
    const [first, left = Infinity] = repeated.times;
    expect(first).toBe(60_000);
    expect(left).toBeLessThanOrEqual(60_000);
  } finally {
    vi.useRealTimers();
  }
});

test('a server that keeps ending is not called', async () => {
  const calls = open();
  for (const _ of [1, 2, 3]) await calls.run(requestOf({}), 100, outcomes(ended, ended).call);
  const none = outcomes();
  expect((await calls.run(requestOf({}), 100, none.call)).output.error?.details).toHaveProperty('retry_after_ms');
  expect(none.times).toEqual([]);
});

test('calls of a server that lasts wait for those of their span, and no others', async () => {
  const calls = open();
  const running: string[] = [];
  const started = async (request: ServerRequest, name: string): Promise<() => void> => {
    let end = (): void => undefined;
    const ending = new Promise<void>((resolve) => (end = resolve));
    void calls
      .run(request, 1_000, async () => {
        running.push(name);
        await ending;
        return {output: {success: true}};
      })
      .then((outcome) => outcome.afterCall?.());
    await new Promise((resolve) => setImmediate(resolve));
    return end;
  };
  const session = {lifetime: 'session'} as const;
  const endFirst = await started(requestOf(session), 'first');
  const endSecond = await started(requestOf(session), 'second');
  const endOther = await started(requestOf(session, {session_id: 's-2'}), 'other');
  const endBrief = await started(requestOf({}), 'brief');
  expect(running).toEqual(['first', 'other', 'brief']);
  endFirst();
  await expect.poll(() => running).toEqual(['first', 'other', 'brief', 'second']);
  for (const end of [endSecond, endOther, endBrief]) end();
  await calls.close();
});
