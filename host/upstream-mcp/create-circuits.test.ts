// When a server that keeps ending is called again.
import type {ToolOutput} from '@lumenflow/schemas';
import {expect, test} from 'vitest';
import {createCircuits} from './create-circuits.ts';

const failure = (code: string, details?: Record<string, unknown>): ToolOutput => ({
  success: false,
  error: {code, message: '', ...(details && {details})},
});
const ended = failure('UPSTREAM_FAILED', {ended: true});

test('a server that ended in three calls in a row is called again after a pause, once', () => {
  let now = 0;
  const circuits = createCircuits(() => now);
  for (const output of [ended, failure('TOOL_CRASHED'), ended]) {
    expect(circuits.refusal('a')).toBeUndefined();
    circuits.record('a', output);
  }
  now = 10_000;
  expect(circuits.refusal('a')?.error).toMatchObject({
    code: 'UPSTREAM_FAILED',
    message: expect.stringContaining('`a` ended in the last 3 calls: retry in 20 s'),
    details: {server: 'a', retryable: true, retry_after_ms: 20_000},
  });
  expect(circuits.refusal('b')).toBeUndefined();
  now = 30_000;
  expect([circuits.refusal('a') === undefined, circuits.refusal('a') === undefined]).toEqual([true, false]);
  circuits.record('a', ended);
  expect(circuits.refusal('a')?.error?.details).toMatchObject({retry_after_ms: 30_000});
  now = 60_000;
  expect(circuits.refusal('a')).toBeUndefined();
  circuits.record('a', {success: true});
  expect(circuits.refusal('a')).toBeUndefined();
});

test.each([failure('TOOL_EXECUTION_FAILED'), failure('UPSTREAM_FAILED', {ended: false}), failure('TOOL_TIMEOUT')])(
  'a server that reports a failure does not count: %j',
  (output) => {
    const circuits = createCircuits(() => 0);
    for (let call = 0; call < 9; call += 1) circuits.record('a', output);
    expect(circuits.refusal('a')).toBeUndefined();
  },
);
