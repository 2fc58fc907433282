import {afterEach, expect, test, vi} from 'vitest';
import {call, cancelledOnceStarted, closePools, echo, misbehaving, openPool, sleep} from './fixtures/pool-calls.ts';
import {createCallMeter} from './pool-counters.ts';

afterEach(closePools);

test('counts each call once, by its outcome', async () => {
  const pool = openPool({threadsMin: 1, threadsMax: 1, queueMax: 1});
  await pool.run(echo('well'));
  await pool.run(call('/no/such/module.mjs#run'));
  await pool.run(call(`${misbehaving}#exit`, {code: 1}));
  await pool.run(call(`${misbehaving}#spin`, {}, {timeoutMs: 50}));
  await pool.run(cancelledOnceStarted(`${misbehaving}#never`));
  await pool.run({...echo('deep'), depth: 9});
  await Promise.all([sleep(20), echo('waits'), echo('refused')].map((one) => pool.run(one)));
  const {durations, ...counts} = pool.counters();
  expect(counts).toEqual({waiting: 0, running: 0, completed: 4, crashed: 1, timedOut: 1, cancelled: 1, refused: 2});
  expect(durations.count).toBe(9);
  expect(durations.buckets.at(-1)).toEqual({atMostMs: 60_000, count: 9});
});

test('reports queued and running calls', async () => {
  const pool = openPool();
  const nested = {...sleep(300), depth: 1};
  const all = [sleep(300), sleep(300), echo(1), echo(2), echo(3), nested].map((one) => pool.run(one));
  await vi.waitFor(() => expect(pool.counters()).toMatchObject({waiting: 3, running: 3}), {
    interval: 1,
    timeout: 60_000,
  });
  await Promise.all(all);
  expect(pool.counters()).toMatchObject({waiting: 0, running: 0, completed: 6});
});

test('counts a duration in each bucket that it fits', () => {
  const meter = createCallMeter();
  for (const tookMs of [2, 10, 50]) meter.add({success: true}, tookMs);
  meter.add({success: false, error: {code: 'MY_OWN', message: ''}}, 60);
  const {completed, durations} = meter.read({waiting: 0, running: 0});
  expect([completed, durations.count, durations.sumMs]).toEqual([4, 4, 122]);
  const atMost = (ms: number) => durations.buckets.find(({atMostMs}) => atMostMs === ms)?.count;
  expect([atMost(1), atMost(10), atMost(50), atMost(60_000)]).toEqual([0, 2, 3, 4]);
});
