import {expect, test} from 'vitest';
import {limitsProblem} from './limits-problem.ts';

test.each<[object]>([
  [{parallel: 0}],
  [{tool_calls: -1}],
  [{steps: 1.5}],
  [{depth: NaN}],
  [{output_bytes: '9'}],
  [{wall_time_ms: 1e12}],
  [{calls: 1}],
  [{constructor: 1}],
])('%o are not valid limits', (limits) => {
  expect(limitsProblem(limits)).toContain('`limits`');
});

test('a request need not set a limit', () => {
  expect([limitsProblem(), limitsProblem({parallel: 1, wall_time_ms: 3_600_000})]).toEqual([undefined, undefined]);
});
