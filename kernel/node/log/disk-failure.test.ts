import {KernelError} from '@lumenflow/kernel';
import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {diskFailure, throwDiskFailure} from './disk-failure.ts';

test('a failed system call is reported as such', () => {
  let failed: unknown;
  try {
    readFileSync('/');
  } catch (error) {
    failed = error;
  }
  const reported = {code: 'LOG_UNAVAILABLE', message: expect.stringContaining('EISDIR') as string, cause: failed};
  expect(diskFailure(failed)).toMatchObject(reported);
  expect(() => throwDiskFailure(failed)).toThrow(expect.objectContaining(reported));
});

test.each([new TypeError('a mistake'), new KernelError('LOG_CORRUPT', 'damage'), 'text', undefined])(
  '%s stays what it is',
  (error) => expect(diskFailure(error)).toBe(error),
);
