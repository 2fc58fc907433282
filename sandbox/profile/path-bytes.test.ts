import {assert, property, string, uint8Array} from 'fast-check';
import {expect, test} from 'vitest';
import {pathBytes, printablePath, textOfBytes} from './path-bytes.ts';

const bytesOf = (path: string): Buffer => Buffer.from(pathBytes(path));

test('every sequence of bytes has a unique text that decodes to it', () => {
  assert(
    property(uint8Array({maxLength: 40}), (array) => {
      const bytes = Buffer.from(array);
      expect(bytesOf(textOfBytes(bytes))).toEqual(bytes);
    }),
  );
});

test('UTF-8 stays as it is', () => {
  assert(
    property(string({unit: 'grapheme'}), (text) => {
      expect(textOfBytes(Buffer.from(text))).toBe(text);
      expect(pathBytes(text)).toBe(text);
    }),
  );
});

test('a byte that is not UTF-8 is printed as a number', () => {
  expect(printablePath(textOfBytes(Buffer.from([0x61, 0xff, 0x2f, 0xc3, 0xa9])))).toBe('a\\xff/é');
});
