// What a check found wrong, and how bad it is.
import type {VerifyReport} from '@lumenflow/kernel';

export interface Finding {
  readonly status: Exclude<VerifyReport['status'], 'verified' | 'empty'>;
  readonly text: string;
}

/** The worst first. */
const gravity: readonly Finding['status'][] = ['tampered', 'truncated', 'blob_missing', 'unsigned_tail'];

export function worstStatus(findings: readonly Finding[]): Finding['status'] | undefined {
  return gravity.find((status) => findings.some((finding) => finding.status === status));
}
