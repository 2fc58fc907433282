import {spawn, spawnSync} from 'node:child_process';
import {cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';

let clone: string;

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'lumenflow-run-tests-'));
  cpSync(import.meta.dirname, join(clone, 'scripts'), {recursive: true, filter: (path) => !path.endsWith('.test.ts')});
  symlinkSync(join(import.meta.dirname, '../node_modules'), join(clone, 'node_modules'));
});
afterEach(() => rmSync(clone, {recursive: true, force: true}));

interface Ran {
  readonly exitCode: number;
  readonly line: string;
}

function runTests(files: Readonly<Record<string, string>>): Ran {
  return runAndRead(files).ran;
}

function runAndRead(
  files: Readonly<Record<string, string>>,
  suite: readonly string[] = [],
): {readonly ran: Ran; readonly said: string} {
  for (const [name, body] of Object.entries(files)) {
    writeFileSync(join(clone, name), `import {expect, test} from 'vitest';\n${body}`);
  }
  const program = `
    const {runTests} = await import('./scripts/run-tests.mjs');
    process.stderr.write('RESULT' + JSON.stringify(await runTests(process.execPath, {suite: ${JSON.stringify(suite)}, args: []})));`;
  const args = ['--input-type=module', '-e', program];
  const {stderr} = spawnSync(process.execPath, args, {cwd: clone, encoding: 'utf8'});
  const at = stderr.lastIndexOf('RESULT');
  return {ran: JSON.parse(stderr.slice(at + 'RESULT'.length)) as Ran, said: stderr.slice(0, at)};
}

const failsOnce = `
  import {existsSync, writeFileSync} from 'node:fs';
  test('c', () => { const seen = existsSync('seen'); writeFileSync('seen', ''); expect(seen).toBe(true); });`;
const passing = `test('a', () => {}); test('b', () => {});`;

test('counts what passed', () => {
  expect(runTests({'a.test.ts': passing})).toEqual({exitCode: 0, line: '2 passed, 0 failed'});
});

test('counts what failed, what was skipped, and a file that cannot be loaded', () => {
  const failing = `test('c', () => expect(1).toBe(2)); test.skip('d', () => {}); test.todo('e');`;
  const files = {'a.test.ts': passing, 'b.test.ts': failing, 'c.test.ts': `throw new Error('broken');`};
  expect(runTests(files)).toEqual({exitCode: 1, line: '2 passed, 2 failed, 2 skipped'});
});

test('a test that fails once and passes when its file is repeated alone is named and counted as unsteady', () => {
  const failing = `test('e', () => expect(1).toBe(2));`;
  const files = {'a.test.ts': passing, 'b.test.ts': `${failsOnce} test('d', () => {});`, 'c.test.ts': failing};
  const {ran, said} = runAndRead(files, ['a.test.ts', 'b.test.ts']);
  expect(ran).toEqual({exitCode: 0, line: '3 passed, 0 failed, 1 unsteady'});
  expect(said).toMatch(
    /^unsteady, it failed at first and passed alone: b\.test\.ts > c: AssertionError: expected false to be true.*$/mu,
  );
});

test('where many files fail none is repeated', () => {
  const failing = Array.from({length: 11}, (_, at) => [`${at}.test.ts`, `test('x', () => expect(1).toBe(2));`]);
  const {ran, said} = runAndRead(Object.fromEntries(failing));
  expect(ran).toEqual({exitCode: 1, line: '0 passed, 11 failed'});
  expect(said).not.toContain('repeated');
});

test('an error outside of any test is a failure', () => {
  const stray = `${passing} setTimeout(() => { throw new Error('stray'); }, 0); test('c', () => new Promise((r) => setTimeout(r, 50)));`;
  expect(runTests({'a.test.ts': stray})).toEqual({exitCode: 1, line: '3 passed, 1 failed'});
});

const killed = `process.kill(process.pid, 'SIGKILL');`;

test('the end of a process counts once, however many tests it leaves without a result', () => {
  const once = `import {existsSync, writeFileSync} from 'node:fs';
    test('a', () => { if (!existsSync('ended')) { writeFileSync('ended', ''); ${killed} } });
    test('b', () => {}); test('c', () => {});`;
  expect(runTests({'b.test.ts': once})).toEqual({exitCode: 0, line: '2 passed, 0 failed, 1 unsteady'});
});

test.each([
  ['during a test', `test('d', async () => { ${killed} await new Promise(() => {}); });`, 'b.test.ts > d'],
  ['before its tests', `${killed} test('d', () => {});`, 'b.test.ts'],
])('a file whose process ends %s fails, also beside an unsteady test', (_, ending, title) => {
  const {ran, said} = runAndRead({'a.test.ts': failsOnce, 'b.test.ts': ending}, ['a.test.ts', 'b.test.ts']);
  expect(ran).toEqual({exitCode: 1, line: '0 passed, 1 failed, 1 unsteady'});
  expect(said).toContain(`failed, its file is repeated alone: ${title}: `);
});

test('an error outside of any test is a failure, also beside an unsteady test', () => {
  const stray = `setTimeout(() => { throw new Error('stray'); }, 0); test('d', () => new Promise((r) => setTimeout(r, 50)));`;
  const {ran} = runAndRead({'a.test.ts': failsOnce, 'b.test.ts': stray}, ['a.test.ts', 'b.test.ts']);
  expect(ran).toEqual({exitCode: 1, line: '1 passed, 1 failed, 1 unsteady'});
});

test('finding no test is a failure', () => {
  expect(runTests({})).toEqual({exitCode: 1, line: '0 passed, 1 failed'});
});

test.each(['SIGTERM', 'SIGINT'] as const)('passes %s on and ends with the exit code of the program', async (signal) => {
  const child = `process.on('${signal}', () => process.exit(7)); console.log('ready'); setInterval(() => {}, 1000);`;
  const parent = `
    const {runForeground} = await import('./scripts/run.mjs');
    process.exitCode = await runForeground(process.execPath, ['-e', ${JSON.stringify(child)}]);`;
  // A group of its own: a terminal's Ctrl-C goes to the whole group.
  const running = spawn(process.execPath, ['--input-type=module', '-e', parent], {cwd: clone, detached: true});
  const ended = new Promise((resolve) => running.once('close', resolve));
  await new Promise((resolve) => running.stdout.once('data', resolve));
  process.kill(signal === 'SIGINT' ? -running.pid! : running.pid!, signal);
  expect(await ended).toBe(7);
});

test('reports a program that was killed as a shell does', () => {
  const program = `
    const {runForeground} = await import('./scripts/run.mjs');
    process.exitCode = await runForeground(process.execPath, ['-e', 'process.kill(process.pid, "SIGKILL")']);`;
  expect(spawnSync(process.execPath, ['--input-type=module', '-e', program], {cwd: clone}).status).toBe(137);
});
