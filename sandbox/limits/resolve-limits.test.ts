import {expect, test} from 'vitest';
import {defaultLimits, resolveLimits, type LimitsInput} from './resolve-limits.ts';
import {withoutDefaults} from './without-defaults.ts';

const resolve = (input: Partial<LimitsInput>): ReturnType<typeof resolveLimits> =>
  resolveLimits({declared: {}, timeoutMs: undefined, ceilings: {}, timeoutMsDefault: 60_000, ...input});

test('an unset limit has its default, and no source', () => {
  expect(resolve({})).toEqual({limits: defaultLimits, timeoutMs: 60_000, from: {}});
});

test('a tool can declare less or more than a default', () => {
  const {limits, timeoutMs, from} = resolve({declared: {processes: 8, memory_bytes: 2 ** 40}, timeoutMs: 5});
  expect([limits.processes, limits.memory_bytes, timeoutMs]).toEqual([8, 2 ** 40, 5]);
  expect(from).toEqual({processes: 'tool', memory_bytes: 'tool', timeout_ms: 'tool'});
});

test('a ceiling lowers higher limits, and replaces a default in both directions', () => {
  const {limits, timeoutMs, from} = resolve({
    declared: {processes: 500, open_files: 20},
    timeoutMs: 90_000,
    ceilings: {processes: 100, open_files: 30, memory_bytes: 2 ** 40, tmp_bytes: 4096, timeout_ms: 1000},
  });
  expect(limits).toMatchObject({processes: 100, open_files: 20, memory_bytes: 2 ** 40, tmp_bytes: 4096});
  expect(timeoutMs).toBe(1000);
  expect(from).toEqual({
    processes: 'workspace',
    open_files: 'tool',
    memory_bytes: 'workspace',
    tmp_bytes: 'workspace',
    timeout_ms: 'workspace',
  });
});

test('only requested limits apply outside of a sandbox', () => {
  expect(withoutDefaults(resolve({declared: {processes: 8}}).limits)).toEqual({processes: 8});
});
