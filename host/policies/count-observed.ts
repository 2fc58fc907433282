// How often rules that observe matched, and how often they would have changed the decision: what an admin reads before enforcing them.
import type {EvidenceFilter, KernelRuntime} from '@lumenflow/kernel';
import type {ObservedPolicy, PolicyOutcome} from '@lumenflow/schemas';
import {eachReceipt} from '../receipts/each-receipt.ts';

export interface ObservedRule {
  readonly rule_id: string;
  readonly layer: string;
  /** The rule's own. */
  readonly decision: PolicyOutcome;
  /** Calls that it matched. */
  readonly matched: number;
  /** Of these, calls that ran although the decision would have been another. */
  readonly would_have_denied: number;
  readonly would_have_asked: number;
  /** The newest call that it matched. */
  readonly receipt_id: string;
}

/** The rules with most matches first. */
export async function countObserved(
  runtime: Pick<KernelRuntime, 'evidence'>,
  filter: Pick<EvidenceFilter, 'since' | 'until'>,
): Promise<readonly ObservedRule[]> {
  const rules = new Map<string, ObservedRule>();
  for await (const {receipt_id, started, finished} of eachReceipt(runtime, filter)) {
    const hasRun = finished?.result !== 'denied' && finished?.result !== 'invalid';
    for (const observed of [started.observed, finished?.observed]) {
      if (observed) count(rules, observed, {receipt_id, hasRun});
    }
  }
  return [...rules.values()].toSorted((a, b) => b.matched - a.matched);
}

function count(
  rules: Map<string, ObservedRule>,
  {decision: would, rules: matched}: ObservedPolicy,
  {receipt_id, hasRun}: {readonly receipt_id: string; readonly hasRun: boolean},
): void {
  for (const {rule_id, layer, decision} of matched) {
    const key = `${layer} ${rule_id}`;
    const known = rules.get(key) ?? {
      rule_id,
      layer,
      decision,
      matched: 0,
      would_have_denied: 0,
      would_have_asked: 0,
      receipt_id,
    };
    rules.set(key, {
      ...known,
      matched: known.matched + 1,
      would_have_denied: known.would_have_denied + (hasRun && would === 'deny' && decision === 'deny' ? 1 : 0),
      would_have_asked:
        known.would_have_asked + (hasRun && would === 'approval_required' && decision === 'approval_required' ? 1 : 0),
    });
  }
}
