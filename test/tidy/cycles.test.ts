import {expect, test} from 'vitest';
import {readPackages, readRepository} from './repository.ts';
import {findImportCycles} from './rules/import-cycles.ts';
import type {Package} from './rules/house.ts';
import {isFixture, isSource, report, type SourceFile} from './rules/source-file.ts';

const file = (path: string, ...imports: readonly string[]): SourceFile => ({
  path,
  text: imports.map((specifier) => `import {a} from '${specifier}';\n`).join(''),
});
const ours = (name: string): Package => ({
  name: `@lumenflow/${name}`,
  folder: name,
  entries: ['.', './node'],
  dependencies: [],
  devDependencies: [],
});
const cycles = (...files: readonly SourceFile[]): readonly string[] =>
  report(findImportCycles(files, [ours('kernel'), ours('host')]));

test('no cycle between files, folders or packages', () => {
  const files = readRepository();
  const sources = files.filter(({path}) => isSource(path) && !isFixture(path));
  expect(report(findImportCycles(sources, readPackages(files)))).toEqual([]);
});

test('finds a cycle of files, and reports its position', () => {
  const found = cycles(file('kernel/a.ts', './b.ts'), file('kernel/b.ts', './c.ts'), file('kernel/c.ts', './a.ts'));
  expect(found).toEqual([
    'kernel/a.ts:1 import cycle: kernel/a.ts → kernel/b.ts (kernel/a.ts:1), kernel/b.ts → kernel/c.ts (kernel/b.ts:1), ' +
      'kernel/c.ts → kernel/a.ts (kernel/c.ts:1)',
  ]);
});

test('finds a cycle of fixtures', () => {
  expect(cycles(file('kernel/a.fixture.ts', './b.fixture.ts'), file('kernel/b.fixture.ts', './a.fixture.ts'))).toEqual([
    'kernel/a.fixture.ts:1 import cycle: kernel/a.fixture.ts → kernel/b.fixture.ts (kernel/a.fixture.ts:1), ' +
      'kernel/b.fixture.ts → kernel/a.fixture.ts (kernel/b.fixture.ts:1)',
  ]);
});

test('finds a file that imports itself', () => {
  expect(cycles(file('kernel/a.ts', './a.ts'))).toHaveLength(1);
});

test('finds a cycle of folders though no file is in one', () => {
  const found = cycles(file('kernel/x/a.ts', '../y/b.ts'), file('kernel/y/c.ts', '../x/d.ts'), file('kernel/x/d.ts'));
  expect(found).toEqual([expect.stringContaining('kernel/x → kernel/y (kernel/x/a.ts:1), kernel/y → kernel/x')]);
});

test('finds a cycle between a folder and a file beside it', () => {
  expect(cycles(file('kernel/x/a.ts', '../b.ts'), file('kernel/b.ts', './x/c.ts'), file('kernel/x/c.ts'))).toHaveLength(
    1,
  );
});

test('finds a cycle of types', () => {
  const text = `import type {A} from './a.ts';\n`;
  expect(cycles(file('kernel/a.ts', './b.ts'), {path: 'kernel/b.ts', text})).toHaveLength(1);
});

test('finds a cycle of packages', () => {
  expect(cycles(file('kernel/a.ts', '@lumenflow/host'), file('host/a.ts', '@lumenflow/kernel/node'))).toEqual([
    expect.stringContaining('@lumenflow/kernel → @lumenflow/host'),
  ]);
});

test('ignores what is not a cycle', () => {
  const diamond = [
    file('kernel/a.ts', './b.ts', './c.ts'),
    file('kernel/b.ts', './d.ts'),
    file('kernel/c.ts', './d.ts'),
  ];
  const entry = [
    file('kernel/index.ts', './x/index.ts'),
    file('kernel/x/index.ts', './e.ts'),
    file('kernel/x/e.ts', '../d.ts'),
  ];
  const testFile = [file('kernel/d.test.ts', './x/index.ts')];
  expect(cycles(...diamond, ...entry, ...testFile, file('host/a.ts', '@lumenflow/kernel'))).toEqual([]);
});
