import {expect, test} from 'vitest';
import {isPassing} from './is-passing.ts';

const withCode = (code: string): Error => Object.assign(new Error('failed'), {code});

test('a server that restarts and a network that is cut pass', () => {
  for (const code of ['57P01', '57P02', '57P03', '08006', '53300', '40001', 'ECONNREFUSED', 'ECONNRESET', 'ENOENT']) {
    expect([code, isPassing(withCode(code))]).toEqual([code, true]);
  }
  expect(isPassing(new Error('Connection terminated unexpectedly'))).toBe(true);
  expect(isPassing(new AggregateError([withCode('ECONNREFUSED'), withCode('ECONNREFUSED')]))).toBe(true);
});

test('what would fail again does not', () => {
  for (const code of ['42501', '42P01', 'LF001', '23505', '28P01', '3D000', 'ERR_INVALID_ARG_TYPE']) {
    expect([code, isPassing(withCode(code))]).toEqual([code, false]);
  }
  expect(isPassing(new Error('anything else'))).toBe(false);
  expect(isPassing(new AggregateError([withCode('ECONNREFUSED'), withCode('28P01')]))).toBe(false);
  expect(isPassing('ECONNREFUSED')).toBe(false);
});
