import {expect, test} from 'vitest';
import {countLeaderships} from './count-leaderships.ts';

const led = (partition: number, epoch: number): string =>
  JSON.stringify({
    fields: {message: `Processor became Leader of epoch e${epoch}. Spent 1ms`, partition_id: `${partition}`},
  });

test('the node with the latest epoch leads a partition', () => {
  const first = [led(0, 2), led(1, 2), '{"level":"WARN"}', led(2, 10)];
  const second = [led(1, 3), led(2, 9), '{"fields":{"mess'];
  expect(countLeaderships([first.join('\n'), second.join('\n'), ''])).toEqual([2, 1, 0]);
});
