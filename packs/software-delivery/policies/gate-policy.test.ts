import type {TaskEvidence} from '@lumenflow/pack-sdk';
import {describe, expect, it} from 'vitest';
import {gatePolicy} from './gate-policy.ts';

const config = {gates: {commands: {test: 'npm test', lint: {command: 'npm run lint', optional: true}}}};

type Call = Omit<TaskEvidence, 'started_seq'> & Partial<TaskEvidence>;

function call(tool_name: string, permission: TaskEvidence['permission'], rest: Partial<TaskEvidence> = {}): Call {
  return {receipt_id: 'rcp', tool_name, permission, result: 'success', started_at: '2026-01-01T00:00:00.000Z', ...rest};
}

function gatesCall(gate: object = {}, report: object = {}): Call {
  const ran = {name: 'test', command: 'npm test', passed: true, ...gate};
  return call('gates', 'write', {data: {passed: true, gates: [ran], ...report}});
}

/** One call after the other, unless a call says otherwise. */
function inSequence(calls: readonly Call[]): readonly TaskEvidence[] {
  return calls.map((each, index) => ({
    started_seq: 10 * index + 1,
    ...(each.result !== 'open' && {finished_seq: 10 * index + 2}),
    ...each,
  }));
}

function denies(calls: readonly Call[] | undefined): boolean {
  const evidence = calls && inSequence(calls);
  const [rule] = gatePolicy({config});
  if (rule?.when === undefined) throw new Error('no rule');
  return rule.when({trigger: 'on_completion', run_id: 'run-1', ...(evidence !== undefined && {evidence})});
}

const edit = call('file:edit', 'write');

describe('gatePolicy', () => {
  it('makes a rule for each required gate', () => {
    expect(gatePolicy({config})).toMatchObject([
      {
        id: 'software-delivery.gate.test',
        trigger: 'on_completion',
        decision: 'deny',
        reason: expect.stringContaining('`gates`'),
      },
    ]);
    expect(gatePolicy({config: undefined})).toEqual([]);
  });

  it.each([
    ['a pass', [gatesCall()]],
    ['a pass after an edit', [edit, gatesCall()]],
    [
      'reads, staging and a commit after the pass',
      [gatesCall(), call('file:read', 'read'), call('git:add', 'write'), call('git:commit', 'write')],
    ],
    ['a denied edit after the pass', [gatesCall(), call('file:edit', 'write', {result: 'denied'})]],
    ['a later run of other gates only', [gatesCall(), gatesCall({name: 'lint', passed: false})]],
    ['a later run in which it was skipped', [gatesCall(), gatesCall({passed: false, skipped: true})]],
  ])('lets through %s', (_name, evidence) => {
    expect(denies(evidence)).toBe(false);
  });

  it.each([
    ['no evidence', undefined],
    ['no calls', []],
    ['an edit after the pass', [gatesCall(), edit]],
    ['an edit that failed after the pass', [gatesCall(), call('file:edit', 'write', {result: 'failure'})]],
    ['an admin call that crashed after the pass', [gatesCall(), call('wu:delete', 'admin', {result: 'crashed'})]],
    [
      'an edit that began before the gate and ended while it ran',
      [call('file:edit', 'write', {finished_seq: 12}), gatesCall()],
    ],
    ['an edit that still runs', [call('file:edit', 'write', {result: 'open'}), gatesCall()]],
    ['a gate that failed', [gatesCall({passed: false})]],
    ['a failure after the pass', [gatesCall(), gatesCall({passed: false})]],
    ['another gate', [gatesCall({name: 'lint'})]],
    ['another command', [gatesCall({command: 'true'})]],
    ['a call of gates that failed', [{...gatesCall(), result: 'failure' as const}]],
    ['a call of gates without data', [call('gates', 'write')]],
    ['data of another shape', [call('gates', 'write', {data: {gates: 'all'}})]],
    ['another tool with the same data', [{...gatesCall(), tool_name: 'other:gates'}]],
  ])('denies on %s', (_name, evidence) => {
    expect(denies(evidence)).toBe(true);
  });
});
