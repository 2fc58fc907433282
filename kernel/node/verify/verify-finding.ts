// What a check found wrong, and how bad it is.
import type {VerifyReport} from '@lumenflow/kernel';

export interface VerifyFinding {
  readonly status: Exclude<VerifyReport['status'], 'verified' | 'empty'>;
  readonly text: string;
}

/** The worst first. */
const gravity: readonly VerifyFinding['status'][] = [
  'tampered',
  'truncated',
  'unapproved',
  'unattested',
  'unwitnessed',
  'blob_missing',
  'unsigned_tail',
];

export function worstStatus(findings: readonly VerifyFinding[]): VerifyFinding['status'] | undefined {
  return gravity.find((status) => findings.some((finding) => finding.status === status));
}
