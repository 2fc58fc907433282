// What a run may not do: reach the host or another run, or leave the process other than it was.
import {execFileSync, type ChildProcess} from 'node:child_process';
import {existsSync} from 'node:fs';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {makeCommandFolder, type CommandFolder} from './command-folder.fixture.ts';

// Before any run has replaced it.
const {exit} = process;
let folder: CommandFolder;
beforeAll(() => void (folder = makeCommandFolder()));
afterAll(() => folder.remove());

const sleep = async (ms: number): Promise<void> => await new Promise((done) => setTimeout(done, ms));

/** What the surfaces are now, by identity, and the rest of the process by value. */
function lookAtProcess(): readonly unknown[] {
  const descriptors = [
    'argv',
    'env',
    'stdin',
    'exit',
    'reallyExit',
    'kill',
    'abort',
    'chdir',
    'umask',
    'emit',
    'on',
  ].map((key) => Object.getOwnPropertyDescriptor(process, key));
  const methods = (['log', 'info', 'debug', 'error', 'warn', 'table'] as const).map((key) => console[key]);
  const events = process.eventNames().map((event) => [event, process.rawListeners(event)]);
  return [
    ...descriptors.flatMap((descriptor) => [descriptor?.value, descriptor?.get]),
    ...methods,
    process.stdout.write,
    process.stderr.write,
    {...process.env},
    process.cwd(),
    process.umask(),
    process.exitCode,
    process.title,
    events,
    process.stdout.eventNames().length,
    Object.keys(process),
  ];
}

test.each([
  ['returns', ``],
  ['exits', `process.exit(3)`],
  ['throws', `throw new Error('x')`],
  ['never settles', `await new Promise(() => {})`],
])('everything is put back when main %s', async (_how, source) => {
  const before = lookAtProcess();
  const result = await folder.main(`
    process.chdir('/'); process.umask(0o77); process.env.LUMENFLOW_LEAK = 'x'; delete process.env.PATH; process.title = 'leak';
    process.exitCode = 4; process.argv.push('leak'); process.argv = []; process.leak = 1;
    process.on('SIGUSR2', () => {}); process.on('exit', () => {}); process.once('uncaughtException', () => {});
    process.stdout.on('drain', () => {}); process.stdout.end('end'); console.log = null;
    ${source}`);
  expect(result.stdout).toBe('end');
  const after = lookAtProcess();
  expect(after).toEqual(before);
  for (const [index, one] of after.entries()) if (typeof one === 'function') expect(one).toBe(before[index]);
});

test('the command meets the arguments, the environment and the folder that it should', async () => {
  const result = await folder.adapter.run(
    folder.write(
      `export const main = () => console.log(JSON.stringify([process.argv, process.env.PATH, process.cwd()]))`,
    ),
    ['--flag', 'a b'],
  );
  const [argv, path, cwd] = JSON.parse(result.stdout) as [string[], string, string];
  expect(argv).toEqual([process.execPath, expect.stringMatching(/^command-\d+\.mjs$/), '--flag', 'a b']);
  expect([path, cwd]).toEqual([process.env['PATH'], process.cwd()]);
});

test('output and exits that come after a run reach neither the host nor the next run', async () => {
  Reflect.deleteProperty(globalThis, 'stopLate');
  const first = await folder.main(`
    const leak = [
      () => console.log('leak'), () => process.stdout.write('leak'), () => fs.writeSync(1, 'leak'), () => process.chdir('/'),
      () => process.umask(0), () => process.on('SIGUSR2', () => {}), () => { process.env.LUMENFLOW_LEAK = 'x' },
      () => process.nextTick(() => { throw new Error('leak') }), () => void Promise.reject(new Error('leak')),
      () => child_process.spawnSync('echo', ['leak'], {stdio: 'inherit'}), () => process.exit(9),
    ];
    void (async () => {
      while (globalThis.stopLate === undefined) {
        await fs.promises.stat('/');
        for (const one of leak) try { one() } catch {}
        globalThis.lateRuns = (globalThis.lateRuns ?? 0) + 1;
      }
    })();
    process.exit(2);`);
  const lateRuns = (): number => Number(Reflect.get(globalThis, 'lateRuns') ?? 0);
  const runsBefore = lateRuns();
  const [cwd, umask] = [process.cwd(), process.umask()];
  const next = await folder.main(
    `await new Promise((done) => setTimeout(done, 60)); console.log('mine', process.cwd())`,
  );
  const runsAfter = lateRuns();
  Reflect.set(globalThis, 'stopLate', true);
  expect(runsAfter).toBeGreaterThan(runsBefore);
  expect(first).toEqual({ok: false, status: 2, stdout: '', stderr: ''});
  expect(next).toEqual({ok: true, status: 0, stdout: `mine ${process.cwd()}\n`, stderr: ''});
  expect([process.cwd(), process.umask(), process.env['LUMENFLOW_LEAK']]).toEqual([cwd, umask, undefined]);
  expect(process.listenerCount('SIGUSR2')).toBe(0);
});

test('the guards stay for what a run has left, and go with it', async () => {
  await folder.main(`globalThis.child = child_process.spawn('sleep', ['60'], {stdio: 'ignore'}); process.exit()`);
  expect(process.exit).not.toBe(exit);
  (Reflect.get(globalThis, 'child') as ChildProcess).kill();
  await expect.poll(() => process.exit, {timeout: 60_000}).toBe(exit);
});

test('a timer that a run left on exit is cleared, as the end of a process does', async () => {
  await folder.main(`setTimeout(() => fs.writeFileSync('${folder.path}/left', ''), 30); process.exit()`);
  await sleep(60);
  expect(existsSync(`${folder.path}/left`)).toBe(false);
});

test('runs come one after the other, in order', async () => {
  const source = (
    name: string,
  ): string => `console.log('begin ${name}'); globalThis.order = [...(globalThis.order ?? []), 'begin'];
    await new Promise((done) => setTimeout(done, 10)); globalThis.order.push('end'); console.log('end ${name}')`;
  const results = await Promise.all(['a', 'b', 'c'].map(async (name) => await folder.main(source(name))));
  expect(results.map(({stdout}) => stdout)).toEqual(['a', 'b', 'c'].map((name) => `begin ${name}\nend ${name}\n`));
  expect(Reflect.get(globalThis, 'order')).toEqual(['begin', 'end', 'begin', 'end', 'begin', 'end']);
});

test('a run within a run is part of it, with its own arguments and output', async () => {
  const inner = folder.write(
    `export async function main() { await 1; console.log('inner', process.argv[2]); process.exit(5); }`,
  );
  Reflect.set(globalThis, 'nested', async (...args: string[]) => await folder.adapter.run(inner, args));
  const result = await folder.main(
    `
    console.log('before', process.argv[2]);
    const [one, two] = await Promise.all([globalThis.nested('one'), globalThis.nested('two')]);
    console.log('after', process.argv[2], JSON.stringify([one, two]));
    process.exitCode = 6;`,
    {},
    ['outer'],
  );
  const expected = (name: string): object => ({ok: false, status: 5, stdout: `inner ${name}\n`, stderr: ''});
  expect(result.stdout).toBe(`before outer\nafter outer ${JSON.stringify([expected('one'), expected('two')])}\n`);
  expect(result.status).toBe(6);
});

test('a run that is over starts no other', async () => {
  const inner = folder.write(`export const main = () => console.log('ran')`);
  let late: unknown;
  Reflect.set(globalThis, 'late', async () => (late = await folder.adapter.run(inner)));
  await folder.main(`fs.stat('/', () => globalThis.late()); process.exit()`);
  await sleep(40);
  expect(late).toMatchObject({ok: false, stdout: '', execution_error: 'the run that asks for it is over'});
});

test('during a run, the host has its own arguments, environment and input', async () => {
  const {argv, env, stdin} = process;
  const running = folder.main(`await new Promise((done) => setTimeout(done, 80)); console.log(process.argv.length)`);
  await expect.poll(() => process.exit).not.toBe(exit);
  expect([process.argv === argv, process.env === env, process.stdin === stdin]).toEqual([true, true, true]);
  expect((await running).stdout).toBe('2\n');
});

test('a script is the main module in each run', async () => {
  const source = `globalThis.count = (globalThis.count ?? 0) + 1; module.exports = 1;
    console.log(require.main === module, process.argv[1] === __filename, Object.keys(require.cache).length)`;
  const name = folder.write(source, '.cjs');
  const {createRuntimeCliAdapter} = await import('./create-runtime-cli-adapter.ts');
  const adapter = createRuntimeCliAdapter({workspaceRoot: folder.path, commands: {one: {script: name}}});
  for (const _ of [1, 2, 3]) expect((await adapter.run('one')).stdout).toBe('true true 1\n');
  // Only the first script runs in this process.
  expect(Reflect.get(globalThis, 'count')).toBe(1);
});

test('a script of ES modules is loaded again for each run, with all its imports', () => {
  const part = folder.write(`console.log('part')`);
  const script = folder.write(`import './${part}'; import {fileURLToPath} from 'node:url';
    console.log(fileURLToPath(import.meta.url) === process.argv[1]);`);
  // In a process of plain Node, with Node's own loader.
  const program = `import {createRuntimeCliAdapter} from ${JSON.stringify(new URL('../dist/cli-adapter/index.js', import.meta.url))};
    const adapter = createRuntimeCliAdapter({workspaceRoot: '${folder.path}', commands: {one: {script: '${script}'}}});
    for (const _ of [1, 2, 3]) console.log(JSON.stringify(await adapter.run('one')));`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {encoding: 'utf8'});
  const line = JSON.stringify({ok: true, status: 0, stdout: 'part\ntrue\n', stderr: ''});
  expect(printed).toBe(`${line}\n`.repeat(3));
});
