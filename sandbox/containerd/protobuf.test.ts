import {expect, test} from 'vitest';
import * as fc from 'fast-check';
import {decodeMessage, encodeMessage} from './protobuf.ts';

test('a message has the bytes of the specification of protocol buffers', () => {
  expect(encodeMessage({1: 150}).toString('hex')).toBe('089601');
  expect(encodeMessage({2: 'testing'}).toString('hex')).toBe('120774657374696e67');
  expect(encodeMessage({3: encodeMessage({1: 150})}).toString('hex')).toBe('1a03089601');
  expect(encodeMessage({4: true, 5: false, 6: 0, 7: undefined}).toString('hex')).toBe('2001');
  expect(encodeMessage({1: ['a', 'b']}).toString('hex')).toBe('0a01610a0162');
});

test('what was encoded is decoded, for every number of a field, number and text', () => {
  const number = fc.integer({min: 1, max: 2 ** 29 - 1});
  const value = fc.oneof(fc.integer({min: 1, max: Number.MAX_SAFE_INTEGER}), fc.string());
  fc.assert(
    fc.property(number, fc.array(value, {minLength: 1}), (name, values) => {
      const decoded = decodeMessage(encodeMessage({[name]: values})).get(name) ?? [];
      expect(decoded.map((each) => (typeof each === 'number' ? each : each.toString()))).toEqual(values);
    }),
  );
});

test('fields of a fixed length are skipped, and other bytes are rejected', () => {
  expect(decodeMessage(Buffer.from('0d00000000110000000000000000089601', 'hex')).get(1)?.at(-1)).toBe(150);
  for (const bytes of ['0a05', '0b', '08', '0d0000']) {
    expect(() => decodeMessage(Buffer.from(bytes, 'hex'))).toThrow(/message/);
  }
});
