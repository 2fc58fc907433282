import {existsSync} from 'node:fs';
import {expect, test} from 'vitest';
import {inodesUsedIn} from './process-tree.ts';

test.skipIf(!existsSync('/proc/self/root'))('what a process sees of the host is not counted as its own', () => {
  expect(inodesUsedIn(process.pid, ['/tmp', '/dev/shm'])).toBe(0);
});
