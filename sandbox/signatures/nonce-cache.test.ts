import {expect, test} from 'vitest';
import {NonceCache} from './nonce-cache.ts';

const second = 1_800_000_000;
const at = (s: number): number => (second + s) * 1000;
const used = (nonce: string, created: number, keyId = 'host'): Parameters<NonceCache['use']>[0] => ({
  keyId,
  nonce,
  created: second + created,
  expires: second + created + 60,
});

function open({startedAt = at(0), newestCreated = 0, perKeyMax = 10}): {cache: NonceCache; kept: number[]} {
  const kept: number[] = [];
  const cache = new NonceCache({
    startedAt,
    perKeyMax,
    newestCreated,
    keepNewestCreated: (created) => void kept.push(created - second),
  });
  return {cache, kept};
}

test('a nonce is accepted once for each key until it expires', () => {
  const {cache} = open({});
  expect(cache.use(used('a', 1), at(1)).ok).toBe(true);
  expect(cache.use(used('a', 1, 'other'), at(1)).ok).toBe(true);
  for (const later of [1, 30, 60, 61]) {
    expect(cache.use(used('a', 1), at(later))).toMatchObject({
      problem: {message: expect.stringContaining('nonce is used')},
    });
  }
});

test('a full cache refuses, for one key only, until its nonces have expired', () => {
  const {cache} = open({perKeyMax: 2});
  expect(cache.use(used('a', 1), at(1)).ok).toBe(true);
  expect(cache.use(used('b', 5), at(5)).ok).toBe(true);
  expect(cache.use(used('c', 6), at(6))).toMatchObject({
    problem: {
      message: '2 requests of `host` have not expired, and the worker cannot remember more',
      help: 'sign the request again in 56 s',
      retryable: true,
    },
  });
  expect(cache.use(used('a', 1), at(6)).ok).toBe(false);
  expect(cache.use(used('c', 6, 'other'), at(6)).ok).toBe(true);
  expect(cache.use(used('d', 62), at(62)).ok).toBe(true);
});

test('what expired is not accepted when the clock is set back', () => {
  const {cache} = open({});
  expect(cache.use(used('a', 1), at(1)).ok).toBe(true);
  expect(cache.use(used('b', 100), at(100)).ok).toBe(true);
  expect(cache.use(used('a', 1), at(30))).toMatchObject({
    problem: {message: expect.stringContaining('clock was set back')},
  });
});

test('a restarted worker refuses what it may have accepted, also from a clock that is ahead', () => {
  const first = open({});
  expect(first.cache.use(used('a', 50), at(50)).ok).toBe(true);
  expect(first.cache.use(used('b', 71), at(51)).ok).toBe(true);
  expect(first.kept).toEqual([71]);
  const {cache} = open({startedAt: at(52) + 500, newestCreated: second + 71});
  expect(cache.use(used('a', 50), at(53)).ok).toBe(false);
  expect(cache.use(used('b', 71), at(53))).toMatchObject({
    problem: {help: 'sign the request again in 19 s', retryable: true},
  });
  expect(cache.use(used('c', 72), at(72)).ok).toBe(true);
  const without = open({startedAt: at(52) + 500});
  expect(without.cache.use(used('a', 52), at(52) + 600)).toMatchObject({
    problem: {help: 'sign the request again in 1 s'},
  });
  expect(without.cache.use(used('c', 53), at(53)).ok).toBe(true);
});
