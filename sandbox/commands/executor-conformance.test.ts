// What every executor keeps to, the one that starts processes and the one that only records.
import {closeSync, mkdtempSync, openSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, describe, expect, test} from 'vitest';
import type {CommandExecutor, ExecutorRunInput} from './command-executor.ts';
import {createRecordingExecutor, type ScriptedRun} from './create-recording-executor.ts';
import {createSpawnExecutor} from './create-spawn-executor.ts';

const folder = mkdtempSync(join(tmpdir(), 'lumenflow-executors-'));
afterAll(() => rmSync(folder, {recursive: true, force: true}));

/** The run as a shell does it. */
function shellOf({stdout = '', stderr = '', exitCode = 0, takesMs = 0}: ScriptedRun): readonly string[] {
  const print = (output: string | Uint8Array): string => `printf %s '${String(output)}'`;
  return ['-c', `${print(stdout)}; ${print(stderr)} >&2; sleep ${takesMs / 1000}; exit ${exitCode}`];
}

const executors: readonly (readonly [string, (scripted: ScriptedRun) => CommandExecutor])[] = [
  ['spawn', () => createSpawnExecutor({killGraceMs: 100})],
  ['recording', (scripted) => createRecordingExecutor(() => scripted)],
];

describe.each(executors)('the %s executor', (_, executorOf) => {
  const run = (scripted: ScriptedRun, more: Partial<ExecutorRunInput> = {}) =>
    executorOf(scripted).run({
      command: 'sh',
      args: shellOf(scripted),
      cwd: folder,
      env: {PATH: '/usr/bin:/bin'},
      outputSink: {kind: 'capture', maxBytes: 1000},
      ...more,
    });

  test('gives both streams and the exit code', async () => {
    expect(await run({stdout: 'out', stderr: 'err', exitCode: 3})).toMatchObject({
      stdout: 'out',
      stderr: 'err',
      exitCode: 3,
      timedOut: false,
      aborted: false,
      truncated: false,
    });
  });

  test('keeps the beginning of each stream, whole characters only', async () => {
    const outputSink = {kind: 'capture', maxBytes: 5} as const;
    expect(await run({stdout: '12345', stderr: '1234'}, {outputSink})).toMatchObject({
      stdout: '12345',
      truncated: false,
    });
    expect(await run({stdout: '1234é', stderr: 'e'}, {outputSink})).toMatchObject({
      stdout: '1234',
      stderr: 'e',
      truncated: true,
    });
  });

  test('writes both streams to a descriptor, and captures nothing then', async () => {
    const file = join(folder, 'both');
    const fd = openSync(file, 'w');
    const result = await run({stdout: 'out', stderr: 'err'}, {outputSink: {kind: 'fd', fd}});
    closeSync(fd);
    expect(result).toMatchObject({stdout: '', stderr: '', exitCode: 0, truncated: false});
    expect(readFileSync(file, 'utf8')).toBe('outerr');
  });

  test('ends what is late, and keeps what it had printed', async () => {
    const result = await run({stdout: 'begun', takesMs: 60_000}, {timeoutMs: 200});
    expect(result).toMatchObject({stdout: 'begun', exitCode: 143, signal: 'SIGTERM', timedOut: true, aborted: false});
  });

  test('ends what is aborted', async () => {
    const result = await run({stdout: 'begun', takesMs: 60_000}, {signal: AbortSignal.timeout(200)});
    expect(result).toMatchObject({exitCode: 143, signal: 'SIGTERM', timedOut: false, aborted: true});
  });

  test('starts nothing that was aborted before', async () => {
    const pids: number[] = [];
    const result = await run({stdout: 'out'}, {signal: AbortSignal.abort('no'), onPid: (pid) => pids.push(pid)});
    expect(result).toMatchObject({stdout: '', exitCode: 126, aborted: true, startError: expect.stringContaining('no')});
    expect(pids).toEqual([]);
  });

  test('names the process while it runs', async () => {
    const pids: number[] = [];
    await run({}, {onPid: (pid) => pids.push(pid)});
    expect(pids).toEqual([expect.any(Number)]);
  });
});

test('the recording executor returns the commands that it was asked to run', async () => {
  const executor = createRecordingExecutor(({command}) => ({stdout: `ran ${command}`}));
  const input = {
    command: 'git',
    args: ['log'],
    cwd: '/',
    env: {},
    outputSink: {kind: 'capture', maxBytes: 100},
  } as const;
  expect((await executor.run(input)).stdout).toBe('ran git');
  expect(executor.runs).toEqual([input]);
});
