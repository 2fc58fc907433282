import {expect, test} from 'vitest';
import {countsProcessesOfSandbox, hardLimits} from './hard-limits.ts';

test('the hard limit counts, and `unlimited` is not a limit', () => {
  const text = [
    'Limit                     Soft Limit           Hard Limit           Units     ',
    'Max cpu time              unlimited            unlimited            seconds   ',
    'Max file size             1000                 unlimited            bytes     ',
    'Max processes             10                   96365                processes ',
    'Max open files            1024                 4096                 files     ',
  ].join('\n');
  expect(hardLimits(text)).toEqual({nproc: 96_365, nofile: 4096});
  expect(hardLimits('')).toEqual({});
});

test.each([
  ['6.18.0-cloud', true],
  ['5.14.0', true],
  ['5.10.0-28-amd64', false],
  ['4.18.0-553.el8', false],
])('kernel %s counts the processes of a sandbox alone: %s', (kernel, counts) => {
  expect(countsProcessesOfSandbox(kernel)).toBe(counts);
});
