// Renames are paired only where there is one way to do it, and nothing is lost or invented.
import type {ChangeEntry, EntryState} from '@lumenflow/schemas';
import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {pairRenames} from './pair-renames.ts';

const file = (content: string, mode = 0o644): EntryState => ({
  kind: 'file',
  mode,
  bytes: content.length,
  sha256: content.padStart(64, '0'),
});
const gone = (path: string, before: EntryState): ChangeEntry => ({path, op: 'delete', before});
const come = (path: string, after: EntryState): ChangeEntry => ({path, op: 'create', after});

test('a file that goes at one path and comes at another with the same content was renamed', () => {
  const other = come('z', file('2'));
  expect(pairRenames([gone('a', file('1')), come('b', file('1')), other])).toEqual([
    {path: 'b', op: 'rename', from: 'a', before: file('1'), after: file('1')},
    other,
  ]);
});

test.each<[string, readonly ChangeEntry[]]>([
  ['two came', [gone('a', file('1')), come('b', file('1')), come('c', file('1'))]],
  ['two went', [gone('a', file('1')), gone('b', file('1')), come('c', file('1'))]],
  ['other permissions', [gone('a', file('1')), come('b', file('1', 0o755))]],
  ['empty files', [gone('a', file('')), come('b', file(''))]],
  ['contents that are not known', [gone('a', {kind: 'file', mode: 1}), come('b', {kind: 'file', mode: 1})]],
  ['directories', [gone('a', {kind: 'directory', mode: 1}), come('b', {kind: 'directory', mode: 1})]],
])('not with %s', (_what, entries) => {
  expect(pairRenames(entries)).toEqual(entries);
});

test('split again, the entries are those that were paired, and ten thousand take no time', () => {
  const content = fc.constantFrom('', '1', '2', '3', '4');
  const entry = fc.tuple(fc.boolean(), content).map(([goes, text]) => ({goes, text}));
  const split = ({path, op, from = '', before, after}: ChangeEntry): readonly ChangeEntry[] =>
    op === 'rename'
      ? [gone(from, before!), come(path, after!)]
      : [{path, op, ...(before && {before}), ...(after && {after})}];
  const sorted = (entries: readonly ChangeEntry[]): readonly ChangeEntry[] =>
    entries.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  fc.assert(
    fc.property(fc.array(entry, {maxLength: 12}), (list) => {
      const entries = list.map(({goes, text}, index) => (goes ? gone : come)(`p${index}`, file(text)));
      expect(sorted(pairRenames(entries).flatMap(split))).toEqual(sorted(entries));
    }),
  );
  const many = Array.from({length: 5_000}, (_, n) => [
    gone(`a/${n}`, file(`${n + 1}`)),
    come(`b/${n}`, file(`${n + 1}`)),
  ]);
  expect(pairRenames(many.flat())).toHaveLength(5_000);
});
