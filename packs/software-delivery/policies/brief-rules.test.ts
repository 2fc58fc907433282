import type {PolicyEvaluationContext, TaskEvidence} from '@lumenflow/pack-sdk';
import {expect, test} from 'vitest';
import {briefRules} from './brief-rules.ts';

const call = (tool_name: string, result: TaskEvidence['result']): TaskEvidence => ({
  receipt_id: 'r',
  tool_name,
  permission: 'write',
  result,
  started_at: '2026-01-01T00:00:00.000Z',
  started_seq: 1,
});
const asked = (...evidence: readonly TaskEvidence[]): PolicyEvaluationContext => ({
  trigger: 'on_completion',
  run_id: 'run',
  evidence,
});

test('no brief is required by default', () => {
  expect([briefRules(undefined), briefRules({brief: {required: false}})]).toEqual([[], []]);
});

test('a required brief must have been returned in the task', () => {
  const [rule] = briefRules({brief: {required: true}});
  expect(rule).toMatchObject({trigger: 'on_completion', decision: 'deny'});
  expect(rule?.when?.(asked())).toBe(true);
  expect(rule?.when?.({trigger: 'on_completion', run_id: 'run'})).toBe(true);
  expect(rule?.when?.(asked(call('wu:brief', 'failure'), call('file:read', 'success')))).toBe(true);
  expect(rule?.when?.(asked(call('wu:brief', 'success')))).toBe(false);
});
