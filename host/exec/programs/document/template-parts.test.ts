import {expect, test} from 'vitest';
import {templateParts} from './template-parts.ts';

const part = (expression: string, offset: number) => ({expression, offset});

test.each([
  ['', ['']],
  ['plain', ['plain']],
  ['${a}', [part('a', 2)]],
  ['a ${b} c', ['a ', part('b', 4), ' c']],
  ['${a}${b}', [part('a', 2), part('b', 6)]],
  ['${{"a": {"b": 1}}}', [part('{"a": {"b": 1}}', 2)]],
  [`\${"}" + '}' + "\\"}"}`, [part(`"}" + '}' + "\\"}"`, 2)]],
  ['$${a} $5', ['${a} $5']],
])('%s', (text, value) => expect(templateParts(text)).toEqual({ok: true, value}));

test.each([
  ['a ${b', 2],
  ['${a} ${{}', 5],
])('%s has no end', (text, offset) => {
  const message = '`${` has no closing `}`: write `$${` for a plain text';
  expect(templateParts(text)).toEqual({ok: false, problem: {message, offset}});
});
