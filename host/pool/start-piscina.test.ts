import {setTimeout as pause} from 'node:timers/promises';
import {afterEach, expect, test} from 'vitest';
import {closePools, openPool, sleep} from './fixtures/pool-calls.ts';

afterEach(closePools);

test('threads above the minimum stay for calls that come after a pause', async () => {
  const pool = openPool({threadsMin: 1, threadsMax: 2});
  const threads = new Set<unknown>();
  for (let burst = 0; burst < 10; burst += 1) {
    const outputs = await Promise.all([sleep(20), sleep(20)].map((one) => pool.run(one)));
    for (const {data} of outputs) threads.add((data as {thread: number}).thread);
    await pause(10);
  }
  expect(threads.size).toBe(2);
});
