import type {MissingApproval} from './missing-approvals.ts';

/** What a pending request waits for, in words. */
export function missingText(missing: readonly MissingApproval[]): string {
  const parts = missing.map((one) => `${personsText(one)}${one.passkey ? ' (signed with a passkey)' : ''}`);
  return `it waits for ${parts.join(', and for ')}`;
}

function personsText({count, by}: MissingApproval): string {
  if (by !== undefined && by.length < count) return tooFew(count, by);
  if (by === undefined) return count === 1 ? 'one more person' : `${count} more persons`;
  return by.length === count ? by.join(' and ') : `${count} of ${by.join(', ')}`;
}

/** The asker was one of the approvers, and too few are left. */
function tooFew(count: number, by: readonly string[]): string {
  const left = by.length === 0 ? 'nobody' : `only ${by.join(' and ')}`;
  return `${count} of its approvers, but ${left} may still approve: name more approvers in the rule, or let another person ask`;
}
