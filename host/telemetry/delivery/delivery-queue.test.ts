// Delivery under load, with receivers that fail, reject and hang. Property: delivered + dropped + queued is what was added.
import {expect, test} from 'vitest';
import {createDeliveryQueue, type Deliver, type DeliveryChange} from './delivery-queue.ts';

const quick = {delayMs: 1, retryMs: 1, onChange: () => undefined};
const hang = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));

test('items arrive in order, each once, in batches of at most the bound', async () => {
  const batches: number[][] = [];
  const queue = createDeliveryQueue<number>({
    ...quick,
    batch: 10,
    deliver: (items) => Promise.resolve(void batches.push([...items])).then(() => 'delivered' as const),
  });
  const all = Array.from({length: 95}, (_, index) => index);
  for (const item of all) queue.add(item);
  await queue.close(5_000);
  expect(batches.flat()).toEqual(all);
  expect(Math.max(...batches.map(({length}) => length))).toBe(10);
  expect(queue.counters()).toEqual({queued: 0, delivered: 95, dropped: 0, failed: 0});
});

test('while a receiver fails, items wait; then they arrive, and both are reported once', async () => {
  const changes: DeliveryChange['state'][] = [];
  const received: number[] = [];
  let failures = 3;
  const queue = createDeliveryQueue<number>({
    ...quick,
    onChange: ({state}) => changes.push(state),
    deliver(items) {
      if ((failures -= 1) >= 0) return Promise.reject(new Error('down'));
      received.push(...items);
      return Promise.resolve('delivered');
    },
  });
  queue.add(1);
  queue.add(2);
  await expect.poll(() => received).toEqual([1, 2]);
  expect(changes).toEqual(['failing', 'working']);
  expect(queue.counters()).toEqual({queued: 0, delivered: 2, dropped: 0, failed: 3});
  await queue.close(100);
});

test('a receiver that hangs delays no caller: the queue is bounded, what is dropped is counted, and closing ends', async () => {
  const changes: DeliveryChange['state'][] = [];
  const queue = createDeliveryQueue<number>({
    ...quick,
    capacity: 100,
    batch: 10,
    onChange: ({state}) => changes.push(state),
    deliver: (_items, signal) => hang(signal),
  });
  for (let item = 0; item < 1_000; item += 1) queue.add(item);
  expect(queue.counters()).toMatchObject({queued: 100, dropped: 900});
  expect(changes).toEqual(['dropping']);
  await queue.close(20);
  expect(queue.counters()).toMatchObject({queued: 0, delivered: 0, dropped: 1_000});
  queue.add(1);
  expect(queue.counters()).toMatchObject({queued: 0, dropped: 1_001});
});

test.each<[string, Deliver<number>]>([
  ['ignores that it was aborted', () => new Promise(() => undefined)],
  ['ends when it is aborted', (_items, signal) => hang(signal)],
])('closing ends in time, and reports what is dropped, if a delivery %s', async (_what, deliver) => {
  const changes: DeliveryChange['state'][] = [];
  const queue = createDeliveryQueue<number>({...quick, deliver, onChange: ({state}) => changes.push(state)});
  queue.add(1);
  await queue.close(20);
  expect(queue.counters()).toMatchObject({queued: 0, delivered: 0, dropped: 1});
  expect(changes).toEqual(['dropping']);
});

test('what a receiver rejects is dropped and not repeated, and later items arrive', async () => {
  const queue = createDeliveryQueue<string>({
    ...quick,
    batch: 1,
    deliver: ([item]) => Promise.resolve(item === 'bad' ? 'rejected' : 'delivered'),
  });
  for (const item of ['good', 'bad', 'good']) queue.add(item);
  await queue.close(5_000);
  expect(queue.counters()).toEqual({queued: 0, delivered: 2, dropped: 1, failed: 0});
});

test('closing ends the wait for the next attempt, so that a receiver that is back gets everything', async () => {
  let isAway = true;
  const queue = createDeliveryQueue<number>({
    ...quick,
    retryMs: 60_000,
    deliver: () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve('delivered')),
  });
  queue.add(1);
  await expect.poll(() => queue.counters().failed).toBe(1);
  isAway = false;
  await queue.close(50_000);
  expect(queue.counters()).toEqual({queued: 0, delivered: 1, dropped: 0, failed: 1});
});

test('a receiver that rejects some items is reported once, what it rejected counts as dropped, and nothing is repeated', async () => {
  const changes: DeliveryChange[] = [];
  const received: number[] = [];
  const queue = createDeliveryQueue<number>({
    ...quick,
    batch: 4,
    onChange: (change) => changes.push(change),
    deliver(items) {
      received.push(...items);
      if (items.includes(9)) return Promise.resolve('delivered');
      // More than the batch has: data points of metrics.
      return Promise.resolve({rejected: items.includes(1) ? 1 : 7, remark: 'too old'});
    },
  });
  for (let item = 0; item < 10; item += 1) queue.add(item);
  await queue.close(5_000);
  expect(received).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(queue.counters()).toEqual({queued: 0, delivered: 5, dropped: 5, failed: 0});
  expect(changes).toEqual([
    {state: 'partial', rejected: 1, remark: 'too old'},
    {state: 'working', dropped: 5},
  ]);
});
