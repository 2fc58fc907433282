import {expect, test} from 'vitest';
import {readRepository} from './repository.ts';
import {findBadNames, findCodeInIndexes, findLongFiles} from './rules/file-shape.ts';
import {isFixture, isSource, report} from './rules/source-file.ts';

const sources = readRepository().filter(({path}) => isSource(path) && !isFixture(path));

test('no file has more than 300 lines', () => {
  expect(report(findLongFiles(sources))).toEqual([]);
});

test('files and folders are kebab-case and named after their content', () => {
  expect(report(findBadNames(sources))).toEqual([]);
});

test('an index.ts only re-exports by name', () => {
  expect(report(findCodeInIndexes(sources))).toEqual([]);
});

test('finds the 301st line', () => {
  const file = (lines: number): {path: string; text: string} => ({path: 'kernel/a.ts', text: 'a();\n'.repeat(lines)});
  expect(findLongFiles([file(300)])).toEqual([]);
  expect(report(findLongFiles([file(301)]))).toEqual([expect.stringContaining('has 301 lines')]);
});

test.each([
  'kernel/utils/a.ts',
  'kernel/helpers.ts',
  'kernel/types.test.ts',
  'kernel/pack-manager.ts',
  'kernel/call-impl.ts',
  'kernel/callTool.ts',
  'kernel/Call.ts',
  'kernel/call_tool.ts',
])('finds the bad name %s', (path) => {
  expect(findBadNames([{path, text: ''}])).toHaveLength(1);
});

test.each(['kernel/content-types.ts', 'vitest.config.ts', 'host/a1/b-2.test.ts', '.github/a.mjs'])(
  'finds nothing wrong with the name %s',
  (path) => {
    expect(findBadNames([{path, text: ''}])).toEqual([]);
  },
);

test.each([
  `export * from './a.ts';`,
  `export * as a from './a.ts';`,
  `export const a = 1;`,
  `import {a} from './a.ts';`,
  `export default 1;`,
])('finds in an index.ts: %s', (text) => {
  expect(findCodeInIndexes([{path: 'kernel/index.ts', text: `export {b} from './b.ts';\n${text}`}])).toMatchObject([
    {line: 2},
  ]);
});
