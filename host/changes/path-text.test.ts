import {expect, test} from 'vitest';
import {changedPath} from './changed-path.ts';
import {pathText} from './path-text.ts';

test.each([
  ['src/a b.ts', 'src/a b.ts'],
  ['src/é', 'src/é'],
  [String.raw`src\a`, String.raw`src\a`],
  ['src/a\nb', String.raw`"src/a\nb"`],
  [String.raw`src/a\nb` + '\t', String.raw`"src/a\\nb\t"`],
  ['\u001b[31mred', String.raw`"\x1b[31mred"`],
  ['\u202egpj.exe', String.raw`"\u202egpj.exe"`],
  ['"quoted"', String.raw`"\"quoted\""`],
  [' lead', '" lead"'],
  ['trail ', '"trail "'],
  ['a → b', '"a → b"'],
  ['a from b', '"a from b"'],
])('shows the path %j as %j', (path, shown) => {
  expect(pathText(path)).toBe(shown);
});

test('a renamed or linked entry cannot be mistaken for another', () => {
  expect(changedPath({op: 'rename', from: 'a', path: 'b → c'})).toBe('rename a → "b → c"');
  expect(changedPath({op: 'link', path: 'a from b', from: 'c\nd'})).toBe(String.raw`link "a from b" from "c\nd"`);
});
