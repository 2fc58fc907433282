// Calls on workers, over connections that break: each has exactly one outcome.
import {existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {afterEach, expect, test, vi} from 'vitest';
import {findBwrap} from '../bubblewrap/host-system.ts';
import {removeTree} from '../files/remove-tree.ts';
import {createBench, type Bench, type Call} from '../testing/sandbox-bench.fixture.ts';
import {
  makeTestKey,
  openWay,
  openWorkerBench,
  type BreakableWay,
  type WorkerBench,
} from '../testing/worker-bench.fixture.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function openWorker(options: Parameters<typeof openWorkerBench>[0] = {}): Promise<WorkerBench> {
  const worker = await openWorkerBench(options);
  closing.push(() => worker.close());
  return worker;
}

async function openWayTo({worker}: WorkerBench, slowMs?: number): Promise<BreakableWay> {
  const way = await openWay(worker.url, slowMs);
  closing.push(() => way.close());
  return way;
}

/** A host that uses these workers, in this order. */
async function hostOf(workers: readonly WorkerBench[], urls = workers.map(({worker}) => worker.url)): Promise<Bench> {
  const [first] = workers;
  if (first === undefined) throw new Error('give a worker');
  const listed = workers.map((each, index) => ({...each.listed, url: urls[index] ?? each.worker.url}));
  const bench = await createBench({backend: (runner) => first.newBackend(runner, listed)});
  closing.push(() => bench.remove());
  return bench;
}

const onLinux = test.skipIf(findBwrap('/usr/bin:/bin') === undefined);

onLinux('a call sees the granted files at the same paths, and nothing else', async () => {
  const host = await hostOf([await openWorker()]);
  host.put('src/a.txt', 'granted');
  host.put('src/.env', 'secret');
  host.put('private.txt', 'private');
  const {output, enforcement} = await host.call(
    `const read = (path) => { try { return fs.readFileSync(path, 'utf8'); } catch (error) { return error.code; } };
     return {success: true, data: [process.cwd(), read('src/a.txt'), read('src/.env'), read('private.txt')]};`,
    {read: ['src/**']},
  );
  expect(output.data).toEqual([host.workspace, 'granted', expect.not.stringContaining('secret'), 'ENOENT']);
  expect(enforcement).toMatchObject({
    backend: 'remote',
    tier: 'standard',
    attestation: {call: {worker: 'bench', backend: 'bubblewrap', receipt_id: 'rcp-1'}},
  });
});

onLinux('a worker has tried its backend before it accepts hosts', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lumenflow-tried-'));
  closing.push(async () => await removeTree(folder));
  const [program, tried] = [join(folder, 'bwrap'), join(folder, 'tried')];
  writeFileSync(program, `#!/bin/sh\n: >${tried}\nexec ${findBwrap('/usr/bin:/bin')} "$@"\n`, {mode: 0o755});
  await openWorker({searchPath: `${folder}:/usr/bin:/bin`});
  expect(existsSync(tried)).toBe(true);
});

onLinux('direct writes are refused', async () => {
  const host = await hostOf([await openWorker()]);
  host.put('out/a.txt');
  const {output} = await host.call('return {success: true}', {write: ['out/**']});
  expect(output.error).toMatchObject({code: 'SANDBOX_UNAVAILABLE', message: expect.stringContaining('direct writes')});
});

/** Resolves with the first progress of a call that reports it. */
function firstProgress(): {readonly request: NonNullable<Call['request']>; readonly reported: Promise<void>} {
  let report = (): void => undefined;
  const reported = new Promise<void>((resolve) => (report = resolve));
  return {reported, request: {onMessage: ({type}) => type === 'progress' && report()}};
}

onLinux('a connection that breaks in the middle loses nothing', async () => {
  const worker = await openWorker();
  const way = await openWayTo(worker);
  const host = await hostOf([worker], [way.url]);
  const {reported, request} = firstProgress();
  const running = host.call(
    `for (let step = 0; step < 5; step += 1) {
       console.log('step ' + step);
       context.progress('step');
       await new Promise((done) => setTimeout(done, 400));
     }
     return {success: true, data: 'x'.repeat(3_000_000)};`,
    {wallMs: 60_000, request},
  );
  await reported;
  for (const delayMs of [100, 600]) {
    await wait(delayMs);
    way.breakOff();
    await wait(300);
    way.mend();
  }
  const {output, stdout} = await running;
  expect(output).toMatchObject({success: true, data: 'x'.repeat(3_000_000)});
  expect(stdout).toBe('step 0\nstep 1\nstep 2\nstep 3\nstep 4\n');
});

onLinux('a slow connection delivers a large result whole', async () => {
  const worker = await openWorker();
  const way = await openWayTo(worker, 20);
  const host = await hostOf([worker], [way.url]);
  const {output} = await host.call('return {success: true, data: input.text.length}', {
    input: {text: 'y'.repeat(5_000_000)},
    wallMs: 60_000,
  });
  expect(output.data).toBe(5_000_000);
});

onLinux('a worker that is lost leaves an unknown outcome, and the next call uses another', async () => {
  const hostKey = makeTestKey('host');
  const [first, second] = [await openWorker({name: 'one', hostKey}), await openWorker({name: 'two', hostKey})];
  const host = await hostOf([first, second]);
  const {reported, request} = firstProgress();
  const running = host.call(`context.progress('began'); await new Promise((done) => setTimeout(done, 60_000));`, {
    request,
  });
  await reported;
  await first.worker.close();
  const {output, lost} = await running;
  expect(lost).toBeDefined();
  expect(output.error).toMatchObject({code: 'TOOL_CRASHED', message: expect.stringContaining('it is unknown whether')});
  const next = await host.call('return {success: true, data: 1}');
  expect(next).toMatchObject({
    output: {success: true, data: 1},
    enforcement: {attestation: {call: {worker: 'two'}}},
  });
});

onLinux(
  'of 200 calls on two workers, of which one is lost, each has exactly one outcome',
  {timeout: 900_000},
  async () => {
    const hostKey = makeTestKey('host');
    const options = {hostKey, slots: 200};
    const [first, second] = [await openWorker({...options, name: 'one'}), await openWorker({...options, name: 'two'})];
    const host = await hostOf([first, second]);
    const entry = host.handler(
      `await new Promise((done) => setTimeout(done, 200)); return {success: true, data: input.number};`,
    );
    await host.run(entry, {input: {number: -1}, wallMs: 120_000});
    let finished = 0;
    let reach = (): void => undefined;
    const many = new Promise<void>((resolve) => (reach = resolve));
    const running = Array.from({length: 200}, async (_, number) => {
      const result = await host.run(entry, {input: {number}, wallMs: 600_000});
      finished += 1;
      if (finished === 40) reach();
      return result;
    });
    await many;
    await first.worker.close();
    const results = await Promise.all(running);
    const ends = results.map(({output, lost, neverRan}, number) => {
      if (output.success) return output.data === number ? 'result' : 'the result of another call';
      return lost === undefined ? (neverRan?.message ?? JSON.stringify(output.error)) : 'lost';
    });
    expect(new Set(ends.filter((end) => end !== 'lost'))).toEqual(new Set(['result']));
    expect(ends.filter((end) => end === 'result').length).toBeGreaterThan(40);
  },
);

onLinux('a draining worker finishes its calls and is passed over', async () => {
  const hostKey = makeTestKey('host');
  const [first, second] = [await openWorker({name: 'one', hostKey}), await openWorker({name: 'two', hostKey})];
  const host = await hostOf([first, second]);
  const running = host.call(
    `await new Promise((done) => setTimeout(done, 1500)); return {success: true, data: 'finished'};`,
  );
  await wait(700);
  const drained = first.worker.drain();
  const next = await host.call('return {success: true}');
  expect(next.enforcement.attestation?.call.worker).toBe('two');
  expect((await running).output.data).toBe('finished');
  await drained;
});

onLinux('what has not changed is neither read nor sent again', async () => {
  const worker = await openWorker();
  const host = await hostOf([worker]);
  mkdirSync(join(host.workspace, 'many'));
  for (let number = 0; number < 500; number += 1) writeFileSync(join(host.workspace, 'many', `${number}`), `${number}`);
  const entry = host.handler(
    `return {success: true, data: fs.readdirSync('many').map((name) => fs.readFileSync('many/' + name, 'utf8') === name)};`,
  );
  for (let round = 0; round < 2; round += 1) {
    const {output} = await host.run(entry, {read: ['many/**']});
    expect(output).toEqual({success: true, data: Array.from({length: 500}, () => true)});
  }
  expect(readFileSync(join(host.workspace, 'many/7'), 'utf8')).toBe('7');
});

onLinux('the files of a call are those of the next one, which the first cannot change', async () => {
  const cacheFolder = mkdtempSync(join(tmpdir(), 'lumenflow-kept-'));
  closing.push(async () => await removeTree(cacheFolder));
  const bench = await openWorker({cacheFolder});
  const host = await hostOf([bench]);
  host.put('src/a.txt', 'granted');
  const scopes = {read: ['src/**']};
  const attack = `
    const at = context.workspace_root + '/src/a.txt';
    const tries = [() => fs.writeFileSync(at, 'wrote'), () => fs.chmodSync(at, 0o777), () => fs.utimesSync(at, 1, 1),
      () => fs.renameSync(at, at + '.away'), () => fs.rmSync(at), () => fs.linkSync(at, '/tmp/linked'),
      () => fs.openSync(at, 'r+')];
    return tries.map((run) => { try { run(); return 'changed'; } catch (error) { return error.code; } });`;
  const {output} = await host.call(attack, scopes);
  expect(output.data).toEqual(['EROFS', 'EROFS', 'EROFS', 'EROFS', 'EROFS', 'EXDEV', 'EROFS']);
  const kept = (): readonly string[] =>
    readdirSync(cacheFolder, {recursive: true})
      .map(String)
      .filter((path) => path.endsWith('src/a.txt'));
  const inode = (): number => statSync(join(cacheFolder, kept()[0] ?? '')).ino;
  // A result does not wait for the end of its execution, which keeps the files.
  const {slots} = await bench.worker.report();
  await vi.waitUntil(async () => (await bench.worker.report()).free === slots, {timeout: 60_000});
  const before = inode();
  const next = await host.call(`return fs.readFileSync(context.workspace_root + '/src/a.txt', 'utf8');`, scopes);
  expect(next.output.data).toBe('granted');
  expect([kept().length, inode()]).toEqual([1, before]);
});
