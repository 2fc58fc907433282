import {existsSync} from 'node:fs';
import {isKernelError} from '@lumenflow/kernel';
import {expect, test} from 'vitest';
import {findWorker} from './find-worker.ts';

test('the built program is found from the sources', () => {
  expect(existsSync(findWorker())).toBe(true);
  expect(findWorker()).toMatch(/host\/dist\/pool\/worker\.js$/);
});

test('a missing build is reported together with the fix', () => {
  for (const url of ['file:///gone/host/pool/find-worker.ts', 'file:///gone/host/dist/pool/find-worker.js']) {
    const failing = (): string => findWorker(url);
    expect(failing).toThrow('`/gone/host/dist/pool/worker.js` is missing: run `npm run build`');
    expect(failing).toThrow(expect.toSatisfy(isKernelError));
  }
});
