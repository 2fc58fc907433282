import {setImmediate as turn} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {createRemovals} from './removals.ts';

test('is not waited for by the call that ends, only by a host that does', async () => {
  let finish = (): void => undefined;
  const removed: string[] = [];
  const removals = createRemovals(async (folder) => {
    await new Promise<void>((resolve) => (finish = resolve));
    removed.push(folder);
  });
  void removals.begin('a');
  await removals.room();
  let hasEnded = false;
  const ended = removals.ended().then(() => (hasEnded = true));
  await turn();
  expect([removed, hasEnded]).toEqual([[], false]);
  finish();
  await ended;
  expect(removed).toEqual(['a']);
});

test('calls that end faster than their folders are removed wait for room', async () => {
  const finish: (() => void)[] = [];
  const removals = createRemovals(() => new Promise<void>((resolve) => finish.push(resolve)));
  for (let count = 0; count < 16; count += 1) void removals.begin(String(count));
  let hasRoom = false;
  const room = removals.room().then(() => (hasRoom = true));
  await turn();
  expect(hasRoom).toBe(false);
  finish[3]?.();
  await room;
  for (const one of finish) one();
  await removals.ended();
});
