import {expect, test} from 'vitest';
import {createSharedPoll} from './shared-poll.ts';

test('a hundred streams share each poll', async () => {
  let reads = 0;
  const poll = createSharedPoll(async () => void (reads += 1), 1);
  for (let round = 1; round <= 3; round += 1) {
    await Promise.all(Array.from({length: 100}, () => poll.wait([])));
    expect(reads).toBe(round);
  }
});

test('a stream that is woken or ends does not wait for the poll', async () => {
  const poll = createSharedPoll(() => new Promise(() => undefined), 1);
  const ending = new AbortController();
  const waiting = [poll.wait([]), poll.wait([ending.signal])];
  ending.abort();
  await waiting[1];
  poll.wake();
  await waiting[0];
  await poll.wait([ending.signal]);
});

test('a poll that fails ends the streams, and the next one is made', async () => {
  const results = [Promise.reject(new Error('no log')), Promise.resolve()];
  results[0]?.catch(() => undefined);
  const poll = createSharedPoll(async () => await results.shift(), 1);
  await expect(poll.wait([])).rejects.toThrow('no log');
  await poll.wait([]);
  expect(results).toEqual([]);
});
