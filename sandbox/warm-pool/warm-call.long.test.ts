// Warm calls through the real bubblewrap: each is served by a spare of exactly its kind, in an unused sandbox.
import {execFileSync} from 'node:child_process';
import {linkSync, readFileSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import type {SandboxRequest, SandboxResult} from '../backends/sandbox-call.ts';
import {findBwrap} from '../bubblewrap/host-system.ts';
import {descendantsOf} from '../limits/process-tree.ts';
import {createBench, type Bench, type Call} from '../testing/sandbox-bench.fixture.ts';

const hasBwrap = findBwrap('/usr/bin:/bin') !== undefined;
if (!hasBwrap) process.stderr.write('skipped: warm calls need bubblewrap (`apt-get install bubblewrap`)\n');

describe.skipIf(!hasBwrap)('warm calls', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await createBench({warm: {}});
  });
  afterAll(() => bench.remove());
  beforeEach(() => {
    for (const name of readdirSync(bench.workspace)) rmSync(join(bench.workspace, name), {recursive: true});
  });

  const packHash = 'sha256:1';
  const counters = () => {
    const found = bench.sandbox.warmPool();
    if (found === undefined) throw new Error('the sandbox has no warm pool');
    return found;
  };

  /** Until the spares that the last calls ask for are there. */
  async function stocked(): Promise<void> {
    await delay(20);
    while (counters().starting > 0) await delay(20);
    expect(counters().spares).toBeGreaterThan(0);
  }

  /** A handler in its own file, so that no spare of another test serves it. */
  function handler(body: string): (call?: Call, request?: Partial<SandboxRequest>) => Promise<SandboxResult> {
    const entry = bench.handler(body);
    return (call = {}, request = {}) =>
      bench.run(entry, {...call, request: {warm: {packHash}, ...call.request, ...request}});
  }

  test('the first call is cold, the next is warm, and each spare serves one call', async () => {
    const call = handler(`globalThis.calls = (globalThis.calls ?? 0) + 1; console.log('printed');
      const files = fs.readdirSync('/tmp').filter((name) => name === 'mine'); fs.writeFileSync('/tmp/mine', ''); process.env.MINE = '1';
      context.exec('sleep', ['100']); await new Promise((done) => setTimeout(done, 20));
      const processes = fs.readdirSync('/proc').filter((name) => Number(name) > 2).length;
      return {calls: globalThis.calls, files, mine: process.env.MINE, processes};`);
    const first = await call();
    expect(first.enforcement.start).toBe('cold');
    await stocked();
    const second = await call();
    expect(second.enforcement).toMatchObject({start: 'warm', exit_code: 0, cpu_ms: expect.any(Number)});
    expect(second.enforcement.peak_memory_bytes).toBeGreaterThan(10_000_000);
    expect(second.stdout).toBe('printed\n');
    expect(second.output).toEqual(first.output);
    expect(second.output.data).toMatchObject({calls: 1, files: [], processes: 1});
  });

  test('Node modules that handlers import are loaded while a spare waits', async () => {
    const call = handler(`return process.moduleLoadList.includes('NativeModule crypto');`);
    expect((await call()).output.data).toBe(false);
    await stocked();
    expect(await call()).toMatchObject({enforcement: {start: 'warm'}, output: {data: true}});
  });

  test('no spare is started before the call has settled', async () => {
    const call = handler('return 1;');
    let settle = (): void => undefined;
    const settled = new Promise<void>((resolve) => (settle = resolve));
    // Those of earlier calls come first.
    await delay(20);
    while (counters().starting > 0) await delay(20);
    const {refills} = counters();
    await call({}, {warm: {packHash, settled}});
    await delay(100);
    expect(counters()).toMatchObject({refills, starting: 0});
    settle();
    await stocked();
    expect(counters().refills).toBeGreaterThan(refills);
  });

  test('a `.env` that was made after the spare was started is as hidden as in a cold start', async () => {
    const call = handler(
      `return {names: fs.readdirSync(context.workspace_root), text: await context.exec('cat', [context.workspace_root + '/.env'])};`,
    );
    await call({read: ['**']});
    await stocked();
    bench.put('.env', 'SECRET');
    const {output, enforcement} = await call({read: ['**']});
    expect(enforcement.start).toBe('cold');
    expect(JSON.stringify(output)).not.toContain('SECRET');
  });

  test.each([
    [
      'replaced by another',
      (path: string) => (writeFileSync(`${path}.new`, 'SECRET 2'), renameSync(`${path}.new`, path)),
    ],
    [
      'linked elsewhere and back',
      (path: string) => {
        linkSync(path, `${path}.other`);
        rmSync(path);
        renameSync(`${path}.other`, path);
      },
    ],
  ])('a `.env` that was %s since is hidden', async (_, exchange) => {
    const path = bench.put('.env', 'SECRET');
    const call = handler(`return await context.exec('cat', [context.workspace_root + '/.env']);`);
    await call({read: ['**']});
    await stocked();
    exchange(path);
    const {discarded} = counters();
    const {output, enforcement} = await call({read: ['**']});
    expect(enforcement.start).toBe('cold');
    expect(counters().discarded).toBeGreaterThan(discarded);
    expect(JSON.stringify(output)).not.toContain('SECRET');
  });

  test('a mounted directory or file that was replaced since appears as it is now', async () => {
    bench.put('data/a.txt', 'old');
    bench.put('one.txt', 'old');
    const call = handler(
      `return ['data/a.txt', 'one.txt'].map((name) => fs.readFileSync(context.workspace_root + '/' + name, 'utf8'));`,
    );
    const grant = {read: ['data/**', 'one.txt']};
    expect((await call(grant)).output.data).toEqual(['old', 'old']);
    await stocked();
    renameSync(join(bench.workspace, 'data'), join(bench.workspace, 'gone'));
    bench.put('data/a.txt', 'new');
    bench.put('one.new', 'new');
    renameSync(join(bench.workspace, 'one.new'), join(bench.workspace, 'one.txt'));
    const {output, enforcement} = await call(grant);
    expect({data: output.data, start: enforcement.start}).toEqual({data: ['new', 'new'], start: 'cold'});
  });

  test('a mounted directory that became a symlink since is not served', async () => {
    bench.put('data/a.txt', 'old');
    bench.put('secret/a.txt', 'SECRET');
    const call = handler(
      `try { return fs.readFileSync(context.workspace_root + '/data/a.txt', 'utf8'); } catch (error) { return error.code; }`,
    );
    expect((await call({read: ['data/**']})).output.data).toBe('old');
    await stocked();
    rmSync(join(bench.workspace, 'data'), {recursive: true});
    symlinkSync('secret', join(bench.workspace, 'data'));
    const {output, enforcement} = await call({read: ['data/**']});
    expect({data: output.data, start: enforcement.start}).toEqual({data: 'ENOENT', start: 'cold'});
  });

  test('a spare serves no other version of the pack and no other profile', async () => {
    const call = handler('return 1;');
    await call();
    await stocked();
    const {hits} = counters();
    expect((await call({}, {warm: {packHash: 'sha256:2'}})).enforcement.start).toBe('cold');
    expect((await call({limits: {open_files: 64}})).enforcement.start).toBe('cold');
    expect((await call({read: ['**']})).enforcement.start).toBe('cold');
    expect(counters().hits).toBe(hits);
    expect((await call()).enforcement.start).toBe('warm');
  });

  test('a spare contains no secret of the calls before it', async () => {
    const secret = 'swordfish-8472';
    const call = handler('return context.env.TOKEN;');
    expect((await call({env: {TOKEN: secret}})).output.data).toBe(secret);
    await stocked();
    const shown = descendantsOf(process.pid).flatMap((pid) =>
      ['environ', 'cmdline'].map((name) => readIfAlive(`/proc/${pid}/${name}`)),
    );
    expect(shown.length).toBeGreaterThan(3);
    expect(shown.join('\n')).not.toContain(secret);
    const warm = await call({env: {TOKEN: secret}});
    expect({data: warm.output.data, start: warm.enforcement.start}).toEqual({data: secret, start: 'warm'});
  });

  test('code of a pack runs before its call only if it can change nothing', async () => {
    const entry = bench.handler(
      'return globalThis.loadedAt < input.now;',
      `globalThis.loadedAt = Date.now(); try { fs.writeFileSync(${JSON.stringify(join(bench.workspace, 'loaded'))}, ''); } catch {}`,
    );
    const call = (access: Call) => bench.run(entry, {...access, input: {now: Date.now()}, request: {warm: {packHash}}});
    for (const [access, isAhead] of [
      [{read: ['**']}, true],
      [{write: ['**']}, false],
    ] as const) {
      await call(access);
      rmSync(join(bench.workspace, 'loaded'), {force: true});
      await stocked();
      await delay(50);
      expect(readdirSync(bench.workspace)).toEqual([]);
      const {output, enforcement} = await call(access);
      expect({isAhead: output.data, start: enforcement.start}).toEqual({isAhead, start: 'warm'});
    }
  });

  test('a handler gets ready before its call comes, sees the network of that call, and may fail', async () => {
    const entry = bench.handler(
      '',
      `const prepared = []; const brand = Symbol.for('lumenflow.ToolDefinition');
       export const tool = {[brand]: true, run: () => prepared, prepare(place) { prepared.push(place); throw new Error('not today'); }};`,
    );
    const call = () => bench.run(entry.replace('#run', '#tool'), {request: {warm: {packHash}}});
    const cold = await call();
    await stocked();
    const warm = await call();
    expect([cold, warm].map(({output, enforcement}) => [enforcement.start, output.data])).toEqual([
      ['cold', []],
      ['warm', [{network: 'off'}]],
    ]);
  });

  test.each([
    [
      'speaks without a call',
      `setTimeout(() => fs.writeSync(3, Buffer.from('\\\\0\\\\0\\\\0\\\\x02{}', 'latin1')), 50);`,
    ],
    ['ends', 'setTimeout(() => process.exit(0), 50);'],
  ])('a spare that %s is gone; the call gets a sandbox of its own', async (_, top) => {
    const own = await createBench({warm: {}});
    const entry = own.handler('return 1;', top);
    const call = () => own.run(entry, {request: {warm: {packHash}}});
    await call();
    const ownCounters = () => own.sandbox.warmPool() ?? counters();
    while (ownCounters().refills === 0 || ownCounters().starting > 0 || ownCounters().spares > 0) await delay(20);
    const {output, enforcement} = await call();
    expect({data: output.data, start: enforcement.start}).toEqual({data: 1, start: 'cold'});
    await own.remove();
  });

  test('a call in a spare can be cancelled or time out; its processes are ended', async () => {
    const call = handler('if (input.wait) { context.exec("sleep", ["100"]); await new Promise(() => {}); } return 1;');
    await call();
    await stocked();
    const late = await call({input: {wait: true}, wallMs: 300});
    expect({code: late.output.error?.code, start: late.enforcement.start}).toEqual({
      code: 'TOOL_TIMEOUT',
      start: 'warm',
    });
    await stocked();
    const cancelled = await call({input: {wait: true}}, {signal: AbortSignal.timeout(300)});
    expect({code: cancelled.output.error?.code, start: cancelled.enforcement.start}).toEqual({
      code: 'TOOL_CANCELLED',
      start: 'warm',
    });
    expect(execFileSync('ps', ['-eo', 'args'], {encoding: 'utf8'})).not.toContain('sleep 100');
  });

  test('a sandbox that could write in the background serves one call only', async () => {
    const call = handler('globalThis.calls = (globalThis.calls ?? 0) + 1; return globalThis.calls;');
    const writing = () => call({write: ['**']}, {warm: {packHash, reuseForTask: 'a'}});
    expect([(await writing()).output.data, (await writing()).output.data]).toEqual([1, 1]);
  });

  test('calls of one task share a sandbox on request, but never with another task', async () => {
    const call = handler(
      'globalThis.calls = (globalThis.calls ?? 0) + 1; console.log("call " + globalThis.calls); return globalThis.calls;',
    );
    const task = (name: string) => call({}, {warm: {packHash, reuseForTask: name}});
    const results = [await task('a'), await task('a'), await task('b'), await task('a'), await call()];
    expect(results.map(({output}) => output.data)).toEqual([1, 2, 1, 3, 1]);
    expect(results.map(({stdout}) => stdout)).toEqual(['call 1\n', 'call 2\n', 'call 1\n', 'call 3\n', 'call 1\n']);
    expect(results.map(({enforcement: {start, reused}}) => `${start} ${reused ?? ''}`)).toEqual([
      'cold ',
      'reused 1',
      'cold ',
      'reused 2',
      'cold ',
    ]);
  });

  test('closing ends all spares', async () => {
    const own = await createBench({warm: {}});
    await own.run(own.handler('return 1;'), {request: {warm: {packHash}}});
    while (own.sandbox.warmPool()?.spares === 0) await delay(20);
    await own.sandbox.close();
    expect(own.sandbox.warmPool()?.spares).toBe(0);
    const shown = descendantsOf(process.pid)
      .map((pid) => readIfAlive(`/proc/${pid}/cmdline`))
      .join('\n');
    expect(shown).not.toContain(own.folder);
    await own.remove();
  });
});

function readIfAlive(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // Ended since it was listed.
    return '';
  }
}
