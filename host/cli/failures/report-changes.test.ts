import {expect, test} from 'vitest';
import {reportChanges} from './report-changes.ts';

test('the same text is reported once in a row', () => {
  const reported: string[] = [];
  const report = reportChanges((text) => reported.push(text));
  for (const text of ['a', 'a', 'b', 'b', 'a']) report(text);
  expect(reported).toEqual(['a', 'b', 'a']);
});
