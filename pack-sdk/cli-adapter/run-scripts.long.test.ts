// Scripts in plain Node: work in native addons, errors in listeners of errors, and several runs in one process.
import {execFile} from 'node:child_process';
import {mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {promisify} from 'node:util';
import {afterAll, beforeAll, expect, test} from 'vitest';
import type {CliResult} from './run/cli-result.ts';

let folder: string;
beforeAll(() => void (folder = realpathSync(mkdtempSync(join(tmpdir(), 'lumenflow-scripts-')))));
afterAll(() => rmSync(folder, {recursive: true}));

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), {recursive: true});
    writeFileSync(join(folder, path), text);
  }
}

/** Runs a script several times with one adapter, in a new process that has no other loader than Node's. */
async function runs(script: string, args: readonly (readonly string[])[]): Promise<readonly CliResult[]> {
  const adapter = new URL('../dist/cli-adapter/index.js', import.meta.url).href;
  const program = `import {createRuntimeCliAdapter} from ${JSON.stringify(adapter)};
    const adapter = createRuntimeCliAdapter({commands: {one: {script: ${JSON.stringify(script)}}}});
    const results = ${JSON.stringify(args)}.map((args) => adapter.run('one', args));
    console.log(JSON.stringify(await Promise.all(results)));`;
  const {stdout} = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: folder,
  });
  return JSON.parse(stdout) as CliResult[];
}

test('a program whose work is in a native addon ends when that work is done', async () => {
  const native = createRequire(import.meta.url).resolve('rollup/parseAst');
  write({
    'parse.mjs': `import {parseAstAsync} from ${JSON.stringify(native)};
      void parseAstAsync('[1, 2, 3].length;'.repeat(20_000)).then(({type}) => console.log(type));`,
  });
  for (let count = 0; count < 10; count++) {
    expect(await runs('parse.mjs', [[]])).toEqual([{ok: true, status: 0, stdout: 'Program\n', stderr: ''}]);
  }
});

test.each([
  ['that continues', `(error) => console.log(error.message)`, 0],
  ['that exits', `(error) => { console.log(error.message); process.exit(3) }`, 3],
])('a listener of uncaught errors %s receives what a microtask throws', async (_what, listener, status) => {
  write({
    'micro.cjs': `process.on('uncaughtException', ${listener}); queueMicrotask(() => { throw new Error('late') });`,
    'rejected.cjs': `process.on('unhandledRejection', ${listener}); Promise.reject(new Error('late'));`,
  });
  const result = {ok: status === 0, status, stdout: 'late\n', stderr: ''};
  expect(await runs('micro.cjs', [[]])).toEqual([result]);
  expect(await runs('rejected.cjs', [[], [], [], [], []])).toEqual(Array.from({length: 5}, () => result));
});

test('each run of a program starts from nothing, however its modules are loaded', async () => {
  write({
    // Keeps ES modules that CommonJS imports, as `standard` does.
    'keeps.cjs': `import('./counter.mjs').then(({count}) => { console.log(count(), ...process.argv.slice(2)); process.exitCode = 1; });`,
    'counter.mjs': `let times = 0; export const count = () => ++times;`,
    // Imports CommonJS in a circle, as \`stylelint\` does.
    'circle.mjs': `import first from './first.cjs'; import second from './second.cjs'; console.log(first.name(), second.name());`,
    'first.cjs': `exports.name = () => 'first'; const second = require('./second.cjs');`,
    'second.cjs': `const first = require('./first.cjs'); exports.name = () => first.name() + ' second';`,
  });
  const kept = (word: string): CliResult => ({ok: false, status: 1, stdout: `1 ${word}\n`, stderr: ''});
  expect(await runs('keeps.cjs', [['a'], ['b'], ['c']])).toEqual(['a', 'b', 'c'].map(kept));
  const circle = {ok: true, status: 0, stdout: 'first first second\n', stderr: ''};
  expect(await runs('circle.mjs', [[], [], []])).toEqual([circle, circle, circle]);
});

test('a later run ends by its own signal', async () => {
  write({'signal.cjs': `if (process.argv[2]) process.kill(process.pid, process.argv[2])`});
  expect(await runs('signal.cjs', [[], ['SIGTERM']])).toMatchObject([
    {status: 0},
    {ok: false, status: 143, execution_error: 'the command ended itself by SIGTERM'},
  ]);
});
