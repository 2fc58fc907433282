import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {execFileSync} from 'node:child_process';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {build} from 'esbuild';

const folder = mkdtempSync(join(tmpdir(), 'lumenflow-import-'));
const program = join(folder, 'program.cjs');
beforeAll(async () => {
  await build({
    stdin: {
      contents: `import {importModule} from './import-module.ts'; importModule(process.argv[2]).then((m) => console.log(m.name, m.run?.()), (e) => console.log(e.message));`,
      resolveDir: import.meta.dirname,
    },
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'cjs',
  });
});
afterAll(() => rmSync(folder, {recursive: true, force: true}));

test.each([
  ['an ES module', 'a.mjs', `export const name = 'esm'; export const run = () => typeof require;`, 'esm undefined'],
  ['ES syntax in .js without a package.json', 'b.js', `export const name = 'js'; export const run = () => 1;`, 'js 1'],
  ['CommonJS', 'c.cjs', `exports.name = 'cjs'; exports.run = () => typeof require;`, 'cjs function'],
  [
    'an await at the top level',
    'd.mjs',
    `export const name = await Promise.resolve('late'); export const run = () => 2;`,
    'late 2',
  ],
  ['a name with a space and a hash', 'e #1.mjs', `export const name = 'odd';`, 'odd undefined'],
  ['a module that throws', 'f.mjs', `throw new Error('at load');`, 'at load'],
])('loads %s', (_, file, source, printed) => {
  writeFileSync(join(folder, file), source);
  const stdout = execFileSync(process.execPath, [program, join(folder, file)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  expect(stdout.trim()).toBe(printed);
});
