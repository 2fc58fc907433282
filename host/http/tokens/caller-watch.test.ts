import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {createCallerWatch, type CallerWatch} from './caller-watch.ts';

let refresh: () => Promise<void>;
let errors: unknown[];
let watch: CallerWatch;
beforeEach(() => {
  vi.useFakeTimers();
  refresh = async () => undefined;
  errors = [];
  watch = createCallerWatch({refresh: () => refresh(), onError: (error) => errors.push(error)});
});
afterEach(() => {
  watch.close();
  vi.useRealTimers();
});

function follow(isOfPerson: boolean): {ends: number; isAllowed: boolean; unfollow(): void} {
  const followed = {ends: 0, isAllowed: true, unfollow: () => undefined as void};
  followed.unfollow = watch.follow({
    isOfPerson,
    isAllowed: () => followed.isAllowed,
    end() {
      followed.ends += 1;
    },
  });
  return followed;
}

test('what is not allowed any more ends once, within a second', async () => {
  const [out, stays] = [follow(true), follow(true)];
  await vi.advanceTimersByTimeAsync(5_000);
  out.isAllowed = false;
  await vi.advanceTimersByTimeAsync(1_000);
  expect([out.ends, stays.ends]).toEqual([1, 0]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect([out.ends, stays.ends]).toEqual([1, 0]);
});

test('what is finished is not ended', async () => {
  const finished = follow(false);
  finished.isAllowed = false;
  finished.unfollow();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(finished.ends).toBe(0);
});

test.each([
  ['fails', () => Promise.reject(new Error('away')), 1],
  ['hangs', () => new Promise<void>(() => undefined), 0],
])(
  'while reading the state %s, people are out within five seconds, and programs stay',
  async (_how, reading, count) => {
    const [person, program, revoked] = [follow(true), follow(false), follow(false)];
    refresh = reading;
    revoked.isAllowed = false;
    await vi.advanceTimersByTimeAsync(4_999);
    expect([person.ends, program.ends, revoked.ends]).toEqual([1, 0, 1]);
    expect(errors.length).toBeGreaterThanOrEqual(count);
  },
);
