import type {ToolDeclaration} from '@lumenflow/schemas';
import {expect, test} from 'vitest';
import {readForm, renderForm, withMistakes} from './input-form.ts';

const tool = {
  name: 'wu:create',
  description: 'x',
  handler_entry: 'a.ts#a',
  permission: 'write',
  input_schema: {
    type: 'object',
    required: ['title'],
    properties: {
      title: {type: 'string'},
      type: {type: 'string', enum: ['bug', 'chore']},
      labels: {description: 'Words that group work units. '.repeat(6), type: 'array', items: {type: 'string'}},
      dry_run: {type: 'boolean'},
    },
  },
} as unknown as ToolDeclaration;

test('a form has a comment and a line for each field', () => {
  const form = renderForm(tool, {labels: ['a', 'b: c']});
  expect(form).toContain('# lumenflow wu create: fill in');
  expect(form).toContain('# required\ntitle:\n');
  expect(form).toContain('# one of bug, chore\n# type:\n');
  expect(form).toContain('labels:\n  - a\n  - "b: c"\n');
  expect(form).not.toContain('dry_run');
  expect(Math.max(...form.split('\n').map(({length}) => length))).toBeLessThan(106);
  expect(readForm(form)).toEqual({input: {labels: ['a', 'b: c']}});
});

test('mistakes are at the top, and replace earlier ones', () => {
  const form = renderForm(tool, {title: 'Räume'});
  const first = withMistakes('wu:create', form, ['`type` is wrong', 'two\nlines']);
  expect(first.startsWith('# ✘ `type` is wrong\n# ✘ two\n#   lines\n')).toBe(true);
  expect(readForm(first)).toEqual({input: {title: 'Räume'}});
  expect(withMistakes('wu:create', first, [])).toBe(form);
});

test.each([
  ['', {input: {}}],
  ['# title: x\n', {input: {}}],
  ['title:\n', {input: {}}],
  ['title: "a', {mistakes: [expect.stringContaining('quote')]}],
  ['just text', {mistakes: ['write one field a line: `title: …`']}],
])('reads %j', (text, expected) => {
  expect(readForm(text)).toEqual(expected);
});
