import {expect, test} from 'vitest';
import {ExecutionInput} from './execution-input.ts';

test('a part that is delivered twice is taken once, and none before its predecessor', async () => {
  const input = new ExecutionInput();
  expect(input.take(2, Buffer.from('two'))).toBe(false);
  expect([1, 1, 2, 1, 3].map((number) => input.take(number, Buffer.from(`${number};`)))).toEqual([
    true,
    true,
    true,
    true,
    true,
  ]);
  input.end();
  const parts: string[] = [];
  for await (const part of input) parts.push(part.toString());
  expect(parts.join('')).toBe('1;2;3;');
});
