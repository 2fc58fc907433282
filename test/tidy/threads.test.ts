import {expect, test} from 'vitest';
import {readRepository} from './repository.ts';
import {isFixture, isSource, report} from './rules/source-file.ts';
import {findThreadsWithoutReason} from './rules/threads-without-reason.ts';

test('threads start only where what they run cannot end the process', () => {
  const sources = readRepository().filter(({path}) => isSource(path) && !isFixture(path));
  expect(report(findThreadsWithoutReason(sources))).toEqual([]);
});

test.each(['const worker = new Worker(url, {resourceLimits});', 'return new Piscina({filename});'])(
  'finds: %s',
  (text) => {
    expect(report(findThreadsWithoutReason([{path: 'host/a.ts', text}]))).toEqual([
      expect.stringMatching(/^host\/a\.ts:1 .*process/u),
    ]);
  },
);

test('allows the named files, and tests', () => {
  const text = 'new Worker(url)';
  const places = ['sandbox/wasm/wasm-thread.ts', 'host/a.test.ts', 'test/support/a.ts'];
  expect(findThreadsWithoutReason(places.map((path) => ({path, text})))).toEqual([]);
});
