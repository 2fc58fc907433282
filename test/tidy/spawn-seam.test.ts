import {expect, test} from 'vitest';
import {readRepository} from './repository.ts';
import {isFixture, isSource, report} from './rules/source-file.ts';
import {findSpawnsOutsideTheSeam} from './rules/spawns-outside-the-seam.ts';

test('commands start only at the CommandExecutor seam', () => {
  const sources = readRepository().filter(({path}) => isSource(path) && !isFixture(path));
  expect(report(findSpawnsOutsideTheSeam(sources))).toEqual([]);
});

test.each([
  `import {spawn} from 'node:child_process';`,
  `import {execa} from 'execa';`,
  `await import('node:cluster');`,
])('finds: %s', (text) => {
  expect(report(findSpawnsOutsideTheSeam([{path: 'host/a.ts', text}]))).toEqual([
    expect.stringMatching(/^host\/a\.ts:1 .*CommandExecutor/),
  ]);
});

test('allows the seam itself, tests, and types', () => {
  const text = `import {execa} from 'execa';`;
  const places = ['sandbox/commands/a.ts', 'host/a.test.ts', 'test/support/a.ts', 'scripts/a.mjs'];
  expect(findSpawnsOutsideTheSeam(places.map((path) => ({path, text})))).toEqual([]);
  const typeOnly = `import type {Options} from 'execa';`;
  expect(findSpawnsOutsideTheSeam([{path: 'host/a.ts', text: typeOnly}])).toEqual([]);
});
