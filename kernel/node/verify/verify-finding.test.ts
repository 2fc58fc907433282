import {expect, test} from 'vitest';
import {worstStatus, type VerifyFinding} from './verify-finding.ts';

const byGravity: readonly VerifyFinding['status'][] = ['tampered', 'truncated', 'blob_missing', 'unsigned_tail'];

test('the worst finding decides, in every position', () => {
  const findings = byGravity.map((status) => ({status, text: ''}));
  for (const [index, status] of byGravity.entries()) {
    const rest = findings.slice(index);
    expect(worstStatus(rest)).toBe(status);
    expect(worstStatus(rest.toReversed())).toBe(status);
  }
  expect(worstStatus([])).toBeUndefined();
});
