import {afterEach, expect, test} from 'vitest';
import {
  call,
  cancelledOnceStarted,
  closePools,
  echo,
  handlers,
  misbehaving,
  openPool,
  sleep,
} from './fixtures/pool-calls.ts';
import type {Pool} from './create-pool.ts';
import type {PoolCall} from './pooled-call.ts';

afterEach(closePools);

/** Short calls before `then`: they make the queue form batches, so that the calls of `then` are sent together. */
async function afterShortOnes<T>(pool: Pool, then: () => T): Promise<T> {
  const short = async (_: unknown, i: number): Promise<unknown> => await pool.run(echo(i));
  await Promise.all(Array.from({length: 200}).map(short));
  const ahead = Promise.all(Array.from({length: 41}).map(short));
  const started = then();
  await ahead;
  return started;
}

test('a short call does not wait behind a slow one while a thread is free', async () => {
  const pool = openPool();
  const order: string[] = [];
  const run = async (name: string, one: PoolCall): Promise<void> => {
    await pool.run(one);
    order.push(name);
  };
  await Promise.all(
    await afterShortOnes(pool, () => [
      run('slow', sleep(500)),
      ...Array.from({length: 20}, async () => await run('short', echo(1))),
    ]),
  );
  expect(order.at(-1)).toBe('slow');
  expect(order).toHaveLength(21);
});

test('calls in a batch with one that crashes run exactly once each', async () => {
  const pool = openPool();
  const starts = new Map<number, number>();
  const outputs = await Promise.all(
    await afterShortOnes(pool, () =>
      Array.from({length: 120}, async (_, i) => {
        if (i % 15 === 3) return await pool.run(call(`${misbehaving}#exit`, {code: 5}));
        const onMessage = (): void => void starts.set(i, (starts.get(i) ?? 0) + 1);
        return await pool.run(call(`${handlers}#announce`, {i}, {onMessage}));
      }),
    ),
  );
  for (const [i, output] of outputs.entries()) {
    if (i % 15 === 3) expect(output.error?.code).toBe('TOOL_CRASHED');
    else expect([output, starts.get(i)]).toEqual([{success: true, data: i}, 1]);
  }
});

test('calls in a batch with one that hangs run after it was killed', async () => {
  const pool = openPool({threadsMin: 1, threadsMax: 1});
  const [stuck, ...others] = await Promise.all(
    await afterShortOnes(pool, () => [
      pool.run(cancelledOnceStarted(`${misbehaving}#spin`)),
      ...Array.from({length: 20}, async (_, i) => await pool.run(echo(i))),
    ]),
  );
  expect(stuck?.error?.code).toBe('TOOL_CANCELLED');
  expect(others.map(({data}) => data)).toEqual(Array.from({length: 20}, (_, i) => i));
});

test('a call that was sent but has not begun is cancelled without running', async () => {
  const pool = openPool({threadsMin: 1, threadsMax: 1});
  const controller = new AbortController();
  let ran = 0;
  const [leader, ...mates] = await Promise.all(
    await afterShortOnes(pool, () => [
      pool.run(call(`${handlers}#announceAndSleep`, {ms: 50}, {onMessage: () => controller.abort()})),
      ...Array.from({length: 6}, async () => {
        const options = {signal: controller.signal, onMessage: () => (ran += 1)};
        return await pool.run(call(`${handlers}#announce`, {i: 1}, options));
      }),
    ]),
  );
  expect([leader?.success, ran]).toEqual([true, 0]);
  for (const output of mates) {
    expect(output.error).toEqual({code: 'TOOL_CANCELLED', message: 'the call was cancelled before it started'});
  }
});
