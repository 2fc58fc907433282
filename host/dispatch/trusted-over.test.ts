import {expect, test} from 'vitest';
import {trustedAround} from '@lumenflow/pack-sdk/trusted-paths';
import {createTrustedOver} from './trusted-over.ts';

test.each([
  '.npmrc',
  'a/.npmrc',
  'a/b/.github/workflows/ci.yml',
  '.git/hooks/pre-commit',
  '.git',
  '.git/objects/ab',
  'a/.git/x',
  'src/a.ts',
  '.husky/x/y/z',
  'a',
])('what is trusted around %s is the same however often, and in whatever order, it is asked', (path) => {
  const trustedOver = createTrustedOver();
  for (const each of [path, 'a/b/c/d', path, `${path}/x`, path]) expect(trustedOver(each)).toBe(trustedAround(each));
});

test('thousands of nested directories cost no more than thousands of siblings', () => {
  const trustedOver = createTrustedOver();
  let path = 'd';
  const before = process.cpuUsage();
  for (let depth = 0; depth < 1500; depth++) {
    path += '/d';
    expect(trustedOver(path)).toBeUndefined();
  }
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000);
});
