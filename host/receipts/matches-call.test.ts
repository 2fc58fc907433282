import {expect, test} from 'vitest';
import {isLeftOut, matchesCall, outcomeOfCall} from './matches-call.ts';

type Call = Parameters<typeof matchesCall>[0];

const started = {tool_name: 'file:write', lane_id: 'docs', task_id: 'WU-7', by: 'ann'};
const call = (finished?: object): Call => ({started, ...(finished && {finished})}) as unknown as Call;

test.each([
  [undefined, 'open'],
  [{result: 'success'}, 'success'],
  [{result: 'failure', error_code: 'TOOL_EXECUTION_FAILED'}, 'failed'],
  [{result: 'crashed'}, 'failed'],
  [{result: 'denied', error_code: 'POLICY_DENIED'}, 'denied'],
  [{result: 'failure', error_code: 'SCOPE_DENIED'}, 'denied'],
  [{result: 'denied', error_code: 'APPROVAL_REQUIRED'}, 'approval_required'],
] as const)('a call that ended with %j is %s', (finished, outcome) => {
  expect(outcomeOfCall(call(finished))).toBe(outcome);
  expect(matchesCall(call(finished), {outcome})).toBe(true);
  expect(matchesCall(call(finished), {outcome: outcome === 'open' ? 'failed' : 'open'})).toBe(false);
});

test.each([
  ['WRITE', true],
  ['wu-7 docs ann', true],
  ['read', false],
])('the words %j match by tool, lane, task and caller: %s', (text, expected) => {
  expect(matchesCall(call(), {text})).toBe(expected);
});

test('of a caller that is left out, the calls that did not succeed stay', () => {
  expect(isLeftOut(call({result: 'success'}), {without_by: 'ann'})).toBe(true);
  expect(isLeftOut(call(), {without_by: 'ann'})).toBe(true);
  expect(isLeftOut(call({result: 'failure'}), {without_by: 'ann'})).toBe(false);
  expect(isLeftOut(call({result: 'success'}), {without_by: 'bob'})).toBe(false);
  expect(isLeftOut(call({result: 'success'}), {})).toBe(false);
});
