import type {RecordedChanges} from '@lumenflow/schemas';
import {expect, test} from 'vitest';
import {changesText} from './changes-text.ts';

const changes = (list: readonly object[], bytes: number): RecordedChanges =>
  ({state: 'applied', count: list.length, bytes, digest: 'abc', list}) as unknown as RecordedChanges;

test('each path has one line, also a path with a line break', () => {
  expect(changesText(changes([{op: 'create', path: 'a\nmodify   b'}], 1))).toBe(
    'applied as a whole: 1 path, 1 byte\ncreate   "a\\nmodify   b"\nsha256:abc',
  );
});

test('long lists are cut', () => {
  const list = Array.from({length: 22}, (_, index) => ({op: 'create', path: `f${index}`}));
  const lines = changesText(changes(list, 2)).split('\n');
  expect([lines[0], lines.at(-2)]).toEqual(['applied as a whole: 22 paths, 2 bytes', 'and 2 more']);
});
