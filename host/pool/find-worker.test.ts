import {existsSync} from 'node:fs';
import {isKernelError} from '@lumenflow/kernel';
import {expect, test} from 'vitest';
import {findWorker} from './find-worker.ts';

test('from the sources, the built program is found', () => {
  expect(existsSync(findWorker())).toBe(true);
  expect(findWorker()).toMatch(/host\/dist\/pool\/worker\.js$/);
});

test('a program that is not built is said to be, with what to do', () => {
  for (const url of ['file:///gone/host/pool/find-worker.ts', 'file:///gone/host/dist/pool/find-worker.js']) {
    const failing = (): string => findWorker(url);
    expect(failing).toThrow('`/gone/host/dist/pool/worker.js` is missing: run `npm run build`');
    expect(failing).toThrow(expect.toSatisfy(isKernelError));
  }
});
