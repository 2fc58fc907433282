import type {TaskEvidence} from '@lumenflow/pack-sdk';
import {describe, expect, it} from 'vitest';
import {gatePolicy} from './gate-policy.ts';

const config = {gates: {commands: {test: 'npm test', lint: {command: 'npm run lint', optional: true}}}};
const trees = {tree_hash: 'a'.repeat(40), config_hash: 'c'.repeat(64)};

function call(tool_name: string, data: unknown, rest: Partial<TaskEvidence> = {}): TaskEvidence {
  const words = {receipt_id: 'rcp', permission: 'write' as const, started_at: '2026-01-01T00:00:00.000Z'};
  return {...words, tool_name, result: 'success', started_seq: 1, finished_seq: 2, data, ...rest};
}

function gates(gate: object = {}, report: object = {}, rest: Partial<TaskEvidence> = {}): TaskEvidence {
  const ran = {name: 'test', command: 'npm test', passed: true, ...gate};
  return call('gates', {passed: true, dry_run: false, ...trees, gates: [ran], ...report}, rest);
}

function verify(data: object = {}, rest: Partial<TaskEvidence> = {}): TaskEvidence {
  return call('wu:verify', {subject: 'workspace', ...trees, ...data}, rest);
}

function denies(evidence: readonly TaskEvidence[] | undefined, id = 'software-delivery.gate.test'): boolean {
  const rule = gatePolicy({config}).find((each) => each.id === id);
  if (rule?.when === undefined) throw new Error('no rule');
  return rule.when({trigger: 'on_completion', run_id: 'run-1', ...(evidence !== undefined && {evidence})});
}

describe('gatePolicy', () => {
  it('creates a rule for each required gate, for the verification and for the merge', () => {
    expect(gatePolicy({config})).toMatchObject([
      {id: 'software-delivery.verified', trigger: 'on_completion', decision: 'deny'},
      {id: 'software-delivery.merged', trigger: 'on_completion', decision: 'deny'},
      {id: 'software-delivery.gate.test', trigger: 'on_completion', decision: 'deny'},
    ]);
    expect(gatePolicy({config: undefined})).toHaveLength(2);
    expect(gatePolicy({config: {gates: {preset: 'go'}}}).map(({id}) => id)).toContain('software-delivery.gate.format');
  });

  it.each([
    ['a pass on the tree', [gates(), verify()]],
    ['a pass and a return to the same files', [gates(), gates({passed: false}, {tree_hash: 'b'.repeat(40)}), verify()]],
    ['a pass that was known', [gates({cached_from: 'rcp-0', exit_code: null}), verify()]],
    ['a waiver', [gates({passed: false, waived: 'the linter is broken'}), verify()]],
    ['a later run of other gates only', [gates(), gates({name: 'lint', passed: false}), verify()]],
    ['a later run in which it was skipped', [gates(), gates({passed: false, skipped: true}), verify()]],
  ])('allows %s', (_name, evidence) => {
    expect(denies(evidence)).toBe(false);
  });

  it.each([
    ['no evidence', undefined],
    ['no calls', []],
    ['no verification', [gates()]],
    ['a verification that failed last', [gates(), verify(), verify({}, {result: 'failure'})]],
    ['a verification without a tree', [gates({}, {tree_hash: null}), verify({tree_hash: null})]],
    ['files that changed since', [gates(), verify({tree_hash: 'b'.repeat(40)})]],
    ['gates that are configured anew', [gates(), verify({config_hash: 'd'.repeat(64)})]],
    ['an older verification of the tree', [gates(), verify(), verify({tree_hash: 'b'.repeat(40)})]],
    ['a gate that failed', [gates({passed: false}), verify()]],
    ['a failure after the pass', [gates(), gates({passed: false}), verify()]],
    ['another gate', [gates({name: 'lint'}), verify()]],
    ['another command', [gates({command: 'true'}), verify()]],
    ['a dry run', [gates({}, {dry_run: true}), verify()]],
    ['a call of gates that failed', [gates({}, {}, {result: 'failure'}), verify()]],
    ['a call of gates without data', [call('gates', undefined), verify()]],
    ['data of another shape', [gates({}, {gates: 'all'}), verify()]],
    ['another tool with the same data', [{...gates(), tool_name: 'other:gates'}, verify()]],
  ])('denies on %s', (_name, evidence) => {
    expect(denies(evidence)).toBe(true);
  });

  it('denies the completion of work that is in a worktree', () => {
    const rule = 'software-delivery.merged';
    expect(denies([verify({subject: 'worktree'})], rule)).toBe(true);
    expect(denies([verify({subject: 'worktree'}), verify({subject: 'merged'})], rule)).toBe(false);
    expect(denies([verify()], rule)).toBe(false);
    expect(denies(undefined, rule)).toBe(false);
  });
});
