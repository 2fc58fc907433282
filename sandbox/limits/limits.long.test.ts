// Limits through the real bubblewrap: each is provoked, named in the failure, and nothing is left behind.
import {execFileSync} from 'node:child_process';
import {readdirSync} from 'node:fs';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {findBwrap} from '../bubblewrap/host-system.ts';
import {createBench, type Bench} from '../testing/sandbox-bench.fixture.ts';
import {findControlGroups} from './find-control-groups.ts';

const hasBwrap = findBwrap('/usr/bin:/bin') !== undefined;
if (!hasBwrap)
  process.stderr.write('skipped: limits of sandboxed calls need bubblewrap (`apt-get install bubblewrap`)\n');

const mebibyte = 1024 * 1024;

describe.skipIf(!hasBwrap)('limits of a sandboxed call', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await createBench();
  });
  afterAll(() => bench.remove());

  /** Among all processes: a process inside is identified by its argument. */
  const isRunning = (argument: string): boolean =>
    execFileSync('ps', ['-eo', 'args'], {encoding: 'utf8'}).includes(argument);

  const forever = 'await new Promise(() => setTimeout(() => {}, 60_000));';

  test.each([
    ['its heap', 'const all = []; for (;;) all.push(new Array(1e5).fill({}).map(() => ({})));'],
    [
      'buffers outside of the heap',
      'const all = []; for (;;) { all.push(Buffer.alloc(2 ** 23, 1)); await new Promise((done) => setTimeout(done, 5)); }',
    ],
    [
      'another program',
      `await context.exec('sh', ['-c', 'head -c 600000000 /dev/zero | tail -c 500000000 | sleep 7712']);`,
    ],
  ])('memory: a handler that fills %s is ended', async (_, body) => {
    const result = await bench.call(body, {limits: {memory_bytes: 128 * mebibyte}});
    expect(result.output.error).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('its limit `memory_bytes` of 134217728'),
      details: {limit: 'memory_bytes', bound: 128 * mebibyte},
    });
    expect({oom: result.oom, timedOut: result.timedOut}).toEqual({oom: true, timedOut: false});
    expect(isRunning('sleep 7712')).toBe(false);
  });

  test.each([
    ['by itself', 'for (;;) {}'],
    [
      'through children',
      `for (let i = 0; i < 3; i += 1) context.exec('sh', ['-c', 'while :; do :; done; echo 7713']); ${forever}`,
    ],
  ])('processor time: a handler that spends it %s is ended', async (_, body) => {
    const result = await bench.call(body, {limits: {cpu_time_ms: 300}});
    expect(result.output.error).toMatchObject({code: 'LIMIT_EXCEEDED', details: {limit: 'cpu_time_ms', bound: 300}});
    expect(result.enforcement.cpu_ms).toBeGreaterThanOrEqual(300);
    expect(isRunning('echo 7713')).toBe(false);
  });

  test('processes: a fork bomb is ended, or has no effect', async () => {
    const result = await bench.call(
      `const {exit_code} = await context.exec('sh', ['-c', 'bomb() { bomb 7714 | bomb 7714 & }; bomb; sleep 7714'], {timeout_ms: 2000}); return exit_code;`,
      {limits: {processes: 60}, wallMs: 10_000},
    );
    if (result.output.success) expect(result.output.data).not.toBe(0);
    else expect(result.output.error).toMatchObject({code: 'LIMIT_EXCEEDED', details: {limit: 'processes', bound: 60}});
    expect(isRunning('7714')).toBe(false);
  });

  test('file size: a program that continues to write is ended, a handler gets the error', async () => {
    const {output} = await bench.call(
      `const {exit_code} = await context.exec('sh', ['-c', 'cat /dev/zero > /tmp/large']); try { fs.writeFileSync('/tmp/big', Buffer.alloc(2000)); } catch (error) { return [exit_code, fs.statSync('/tmp/large').size, error.code]; }`,
      {limits: {file_size_bytes: 1000}},
    );
    expect(output.data).toEqual([153, 1000, 'EFBIG']);
  });

  test('the space in /tmp and /dev/shm is limited', async () => {
    const {output} = await bench.call(
      `const fill = (path) => { try { for (;;) fs.appendFileSync(path, Buffer.alloc(1e6)); } catch (error) { return error.code; } }; return [fill('/tmp/all'), fill('/dev/shm/all')];`,
      {limits: {tmp_bytes: 3 * mebibyte}},
    );
    expect(output.data).toEqual(['ENOSPC', 'ENOSPC']);
  });

  test('the number of files in /tmp and /dev/shm is limited', async () => {
    const {output} = await bench.call(
      `for (let index = 0; ; index += 1) { fs.writeFileSync((index % 2 ? '/tmp/' : '/dev/shm/') + index, ''); if (index % 1000 === 0) await new Promise((next) => setTimeout(next, 20)); }`,
      {limits: {tmp_files: 5000}},
    );
    expect(output.error).toMatchObject({code: 'LIMIT_EXCEEDED', details: {limit: 'tmp_files', bound: 5000}});
  });

  test('the control groups of a call end with it; without them the receipt says so', async () => {
    const groups = findControlGroups();
    const limits = {memory_bytes: 512 * mebibyte, processes: 200};
    const {enforcement} = await bench.call('return 1;', {limits});
    const degraded = (enforcement.degraded ?? []).filter((item) => item.includes('best effort'));
    const isRoot = process.getuid?.() === 0;
    const weak = [
      ...(groups?.enforces.includes('memory_bytes') === true ? [] : ['memory_bytes']),
      ...(isRoot && groups?.enforces.includes('processes') !== true ? ['processes'] : []),
    ];
    expect(degraded.map((item) => item.split(':')[0])).toEqual(weak);
    const left = (): readonly string[] =>
      ['memory', 'pids', '']
        .flatMap((controller) => namesBelow(`/sys/fs/cgroup/${controller}`))
        .filter((name) => name.includes(`lumenflow-${process.pid}-`));
    await expect.poll(left, {timeout: 60_000}).toEqual([]);
  });

  test('the usage of a call is measured', async () => {
    const {enforcement} = await bench.call(
      `const held = Buffer.alloc(100 * 1024 * 1024, 1); const end = process.cpuUsage().user + 200_000; while (process.cpuUsage().user < end); return held.length;`,
    );
    expect(enforcement.peak_memory_bytes).toBeGreaterThan(100 * mebibyte);
    expect(enforcement.peak_memory_bytes).toBeLessThan(400 * mebibyte);
    expect(enforcement.cpu_ms).toBeGreaterThanOrEqual(200);
  });
});

function namesBelow(folder: string): readonly string[] {
  try {
    return readdirSync(folder, {recursive: true, encoding: 'utf8'});
  } catch {
    // Not mounted here.
    return [];
  }
}
