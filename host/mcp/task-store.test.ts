// How long tasks are kept, by a monotonic clock.
import type {CallToolResult} from '@modelcontextprotocol/server';
import {afterEach, expect, test, vi} from 'vitest';
import {createTaskStore} from './task-store.ts';

const done: CallToolResult = {content: []};
const minute = 60_000;

afterEach(() => void vi.useRealTimers());

function storeAt() {
  const clock = {now: 0};
  return {clock, store: createTaskStore(() => clock.now)};
}

test('a task is forgotten when its time is over and its call has ended', async () => {
  const {clock, store} = storeAt();
  let end: (result: CallToolResult) => void = () => undefined;
  const short = store.start(minute, async () => await Promise.resolve(done));
  const running = store.start(minute, async () => await new Promise((resolve) => (end = resolve)));
  await store.result(short.taskId);
  clock.now = minute;
  expect(store.list()).toHaveLength(2);
  clock.now = minute + 1;
  expect(store.list().map(({taskId}) => taskId)).toEqual([running.taskId]);
  expect(() => store.get(short.taskId)).toThrow('or it has expired');
  end(done);
  await store.result(running.taskId);
  expect(store.list()).toEqual([]);
});

test.each([
  ['an hour by default', undefined, 60 * minute],
  ['at most a day', 365 * 24 * 60 * minute, 24 * 60 * minute],
])('a task is kept for %s', async (_name, ttl, keptMs) => {
  const {clock, store} = storeAt();
  const {taskId} = store.start(ttl, async () => await Promise.resolve(done));
  await store.result(taskId);
  clock.now = keptMs;
  expect(store.get(taskId)).toMatchObject({status: 'completed', ttl: keptMs});
  clock.now = keptMs + 1;
  expect(() => store.get(taskId)).toThrow('or it has expired');
});

test('a wall clock that jumps forgets no task early', async () => {
  vi.useFakeTimers({toFake: ['Date']});
  const store = createTaskStore();
  const {taskId} = store.start(60 * minute, async () => await Promise.resolve(done));
  await store.result(taskId);
  vi.setSystemTime(Date.now() + 24 * 60 * minute);
  expect(store.get(taskId).status).toBe('completed');
});
