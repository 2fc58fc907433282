import {assert, constantFrom, oneof, property, string} from 'fast-check';
import {expect, test} from 'vitest';
import {createPatternCompiler} from './schema-pattern.ts';

const sources = [
  '^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$',
  '^.+$',
  '^\\S+$',
  '\\s',
  '^[\\s,]*$',
  '^[^\\s]+$',
  '[^\\S]x',
  '^\\w+@\\w+\\.com$',
  '\\u0041|\\/',
  '\\p{Letter}',
  '^(?!a)b?',
  '(a)\\1',
  '[.]x',
  '^\\$\\{[^}]*\\}$',
  'é|\\u{1F600}',
];

test('a pattern says what JavaScript says', () => {
  const compile = createPatternCompiler();
  const texts = oneof(
    string({unit: 'grapheme', maxLength: 6}),
    string({
      unit: constantFrom('a', 'A', 'b', '.', 'x', ' ', '\n', '\r', '\u2028', '\u00a0', '/', '\u{1F600}', '$', '{', '}'),
    }),
  );
  for (const source of sources) {
    const pattern = compile(source);
    assert(
      property(texts, (text) => {
        expect(pattern.test(text), `${source} on ${JSON.stringify(text)}`).toBe(new RegExp(source, 'u').test(text));
      }),
      {numRuns: 60},
    );
  }
});

test('exponential patterns end: on RE2 with the answer, beyond it with an error', () => {
  const compile = createPatternCompiler();
  const text = `${'a'.repeat(200)}!`;
  expect(compile('^(a+)+$').test(text)).toBe(false);
  expect(() => compile('^(?=a)(a+)+$').test(text)).toThrow('timed out');
});

test('an invalid pattern is rejected', () => {
  expect(() => createPatternCompiler()('(')).toThrow(SyntaxError);
});
