import {expect, test} from 'vitest';
import {refusalsOf} from './refusals-of.ts';

const by = (finished: Parameters<typeof refusalsOf>[0]): readonly string[] =>
  refusalsOf(finished).map((each) => each.by);

test.each([
  ['POLICY_DENIED', ['policy']],
  ['APPROVAL_REQUIRED', ['approval']],
  ['SCOPE_DENIED', ['scope']],
  ['SPEC_TAMPERED', ['call']],
  ['INVALID_INPUT', []],
  ['TOOL_NOT_FOUND', []],
])('a call denied with %s is refused by %j', (error_code, expected) => {
  expect(by({result: 'denied', error_code})).toEqual(expected);
});

test('refusals during a call count for every result of the call', () => {
  const enforcement = {
    denials: ['file a/.env: hidden', 'system EACCES open /x', '203.0.113.7:80: not listed'],
    connections: [
      {destination: '203.0.113.7:80', allowed: false, attempts: 1, bytes_sent: 0, bytes_received: 0},
      {destination: '198.51.100.1:443', allowed: false, attempts: 1, bytes_sent: 0, bytes_received: 0},
      {destination: 'api.example:443', allowed: true, attempts: 1, bytes_sent: 9, bytes_received: 9},
    ],
  };
  expect(by({result: 'success', enforcement})).toEqual(['path', 'system', 'network', 'network']);
  expect(by({result: 'failure', error_code: 'SCOPE_DENIED', enforcement: {}})).toEqual(['path']);
  expect(by({result: 'failure', error_code: 'SCOPE_DENIED', enforcement})).toHaveLength(4);
});

test('nothing refused', () => {
  expect(by(undefined)).toEqual([]);
  expect(by({result: 'success'})).toEqual([]);
  expect(by({result: 'failure', error_code: 'TOOL_EXECUTION_FAILED'})).toEqual([]);
});
