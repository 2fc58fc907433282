import {expect, test} from 'vitest';
import {summarizeInput} from './summarize-input.ts';

test.each([
  [{text: 'x', path: 'docs/guide.md'}, 'docs/guide.md'],
  [{count: 3, title: 'A title\n  of two lines', body: 'x'}, 'A title of two lines'],
  [{count: 3, all: true}, '{"count":3,"all":true}'],
  [{path: ['a', 'b']}, '{"path":["a","b"]}'],
  [['a'], '["a"]'],
  [null, 'null'],
  [{}, '{}'],
  ['x'.repeat(500), `"${'x'.repeat(159)}…`],
])('the input %j is summarized as %j', (input, summary) => {
  expect(summarizeInput(input)).toBe(summary);
});
