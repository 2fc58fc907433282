import {closeSync, mkdtempSync, openSync, readFileSync, rmSync, existsSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, expect, test} from 'vitest';
import type {ExecutorRunInput} from './command-executor.ts';
import {createSpawnExecutor} from './create-spawn-executor.ts';

const folder = mkdtempSync(join(tmpdir(), 'lumenflow-commands-'));
afterAll(() => rmSync(folder, {recursive: true, force: true}));
const executor = createSpawnExecutor({killGraceMs: 100});
const path = '/usr/bin:/bin';

function shell(script: string, more: Partial<ExecutorRunInput> = {}): ExecutorRunInput {
  return {
    command: 'sh',
    args: ['-c', script],
    cwd: folder,
    env: {PATH: path},
    outputSink: {kind: 'capture', maxBytes: 10_000},
    ...more,
  };
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // A zombie that its new parent has not reaped yet has ended too.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

async function untilGone(pid: number): Promise<boolean> {
  for (let turn = 0; turn < 200 && isAlive(pid); turn += 1) await new Promise((resolve) => setTimeout(resolve, 10));
  return !isAlive(pid);
}

test('returns both streams and the exit code', async () => {
  const result = await executor.run(shell('echo out; echo err >&2; exit 3'));
  expect(result).toMatchObject({
    stdout: 'out\n',
    stderr: 'err\n',
    exitCode: 3,
    truncated: false,
    timedOut: false,
    aborted: false,
  });
  expect(result.durationMs).toBeGreaterThan(0);
});

test('the command sees its own environment, folder and input only', async () => {
  const result = await executor.run(shell('cat; pwd; env', {stdin: 'fed\n', env: {PATH: path, ONLY: 'this'}}));
  expect(result.stdout).toContain('fed\n');
  expect(result.stdout).toContain(folder);
  expect(result.stdout).toContain('ONLY=this');
  expect(result.stdout).not.toContain('HOME=');
});

test('captures the beginning of a large output and drops the rest in mid-stream', async () => {
  const before = process.memoryUsage().rss;
  const result = await executor.run(shell('head -c 200000000 /dev/zero | tr "\\0" x; echo done >&2'));
  expect(result.stdout).toBe('x'.repeat(10_000));
  expect(result).toMatchObject({truncated: true, exitCode: 0, stderr: 'done\n'});
  expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
});

test('an output as long as the limit is complete, and a truncated character is omitted', async () => {
  const capture = (maxBytes: number): Partial<ExecutorRunInput> => ({outputSink: {kind: 'capture', maxBytes}});
  expect(await executor.run(shell('printf abcd', capture(4)))).toMatchObject({stdout: 'abcd', truncated: false});
  expect(await executor.run(shell('printf aé', capture(2)))).toMatchObject({stdout: 'a', truncated: true});
});

test('a descriptor receives both streams', async () => {
  const file = join(folder, 'both.log');
  const fd = openSync(file, 'w');
  const result = await executor.run(shell('echo out; echo err >&2', {outputSink: {kind: 'fd', fd}}));
  closeSync(fd);
  expect(result).toMatchObject({stdout: '', stderr: '', exitCode: 0});
  expect(readFileSync(file, 'utf8')).toBe('out\nerr\n');
});

test('a timeout ends grandchildren that ignore SIGTERM and keep the pipe open', async () => {
  const script = `trap '' TERM; (trap '' TERM; echo $$ > leader; sh -c 'echo $$ > grandchild; trap "" TERM; while :; do sleep 1; done') & wait; sleep 600`;
  const result = await executor.run(shell(script, {timeoutMs: 300}));
  expect(result).toMatchObject({timedOut: true, aborted: false, signal: 'SIGKILL', exitCode: 137});
  expect(await untilGone(Number(readFileSync(join(folder, 'grandchild'), 'utf8')))).toBe(true);
});

test('a timeout keeps what was printed before it', async () => {
  const result = await executor.run(shell('printf begun; exec sleep 600', {timeoutMs: 200}));
  expect(result).toMatchObject({stdout: 'begun', timedOut: true, aborted: false, signal: 'SIGTERM', exitCode: 143});
});

test('an abort ends the group; SIGTERM comes first', async () => {
  const controller = new AbortController();
  const result = await executor.run(
    shell('trap "echo asked; exit 9" TERM; echo up; while :; do sleep 0.02; done', {
      signal: controller.signal,
      onPid: () => setTimeout(() => controller.abort(), 200),
    }),
  );
  expect(result).toMatchObject({aborted: true, timedOut: false, exitCode: 9, stdout: 'up\nasked\n'});
});

test('an abort before the start starts nothing', async () => {
  const result = await executor.run(shell('touch started', {signal: AbortSignal.abort('too late')}));
  expect(result).toMatchObject({
    aborted: true,
    exitCode: 126,
    startError: expect.stringContaining('too late') as string,
  });
  expect(existsSync(join(folder, 'started'))).toBe(false);
});

test('a background process that outlives its leader is ended and delays nothing', async () => {
  const result = await executor.run(shell('sleep 600 & echo $!'));
  expect(result.exitCode).toBe(0);
  expect(await untilGone(Number(result.stdout))).toBe(true);
});

test('a background process in its own session cannot delay the result', async () => {
  const result = await executor.run(shell('setsid sh -c "sleep 600" & echo $!'));
  expect(result.stdout).toMatch(/^\d+\n$/);
  process.kill(Number(result.stdout), 'SIGKILL');
});

test('onPid reports the process; a missing command is a value', async () => {
  const pids: number[] = [];
  const result = await executor.run(shell('echo $$', {onPid: (pid) => pids.push(pid)}));
  expect(Number(result.stdout)).toBe(pids[0]);
  const missing = await executor.run({...shell(''), command: 'no-such-command', args: []});
  expect(missing).toMatchObject({exitCode: 127, startError: expect.stringContaining('ENOENT') as string});
  const folderMissing = await executor.run(shell('true', {cwd: join(folder, 'nowhere')}));
  expect(folderMissing.startError).toContain('nowhere');
});

test('limits are enforced, and those that cannot be set are named', async () => {
  const result = await executor.run(
    shell('ulimit -n; ulimit -c; head -c 5000 /dev/zero > big', {
      limits: {open_files: 33, file_size_bytes: 1000, memory_bytes: 2 ** 30},
    }),
  );
  expect(result.stdout).toBe('33\n0\n');
  expect(result.exitCode).not.toBe(0);
  expect(readFileSync(join(folder, 'big'))).toHaveLength(1000);
  expect(result.unenforcedLimits).toEqual(['memory_bytes']);
});

test('leaves no timer behind that would keep the program alive', async () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const slow = createSpawnExecutor({killGraceMs: 60_000});
  const before = timers();
  await slow.run(shell('true'));
  // Timers of other tests of this process may end meanwhile.
  expect(timers()).toBeLessThanOrEqual(before);
});
