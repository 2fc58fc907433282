import {expect, test} from 'vitest';
import {missingApprovals} from './missing-approvals.ts';
import {missingText} from './missing-text.ts';

const waiting = (by: string[] | undefined, count: number, requested_by: string): string => {
  const approvers = {count, ...(by && {by})};
  const rule = {rule_id: 'two', layer: 'workspace' as const, decision: 'approval_required' as const, approvers};
  return missingText(missingApprovals({rules: [rule], requested_by}, []));
};

test.each([
  [undefined, 2, 'ann', 'it waits for 2 more persons'],
  [['ann', 'bob', 'eve'], 2, 'lea', 'it waits for 2 of ann, bob, eve'],
  [['ann', 'bob', 'eve'], 2, 'ann', 'it waits for bob and eve'],
])('of %j, %d must approve what %s asked: %s', (by, count, asker, expected) => {
  expect(waiting(by, count, asker)).toBe(expected);
});

test('a request that only its asker could complete says so', () => {
  expect(waiting(['ann', 'bob'], 2, 'Ann')).toContain('2 of its approvers, but only bob may still approve');
  expect(waiting(['ann'], 1, 'ann')).toContain('but nobody may still approve');
});

test('a request that must be signed says so', () => {
  expect(missingText([{rule_id: 'ask', count: 1, passkey: true}])).toBe(
    'it waits for one more person (signed with a passkey)',
  );
});
