// What one default or one rule of a layer says about a request, and how strict that is.
import type {PolicyDecision, PolicyOutcome} from '@lumenflow/schemas';
import type {Redaction} from './compile-redaction.ts';

export interface LayerDecision {
  readonly said: PolicyDecision;
  readonly kind: 'default' | 'rule';
  readonly self_approval: boolean;
  /** An answer in the asking conversation counts. */
  readonly inband?: true;
  /** It replaces parts of what a tool returned. */
  readonly redaction?: Redaction | undefined;
  /** The rule's `when` could not be relied on, so it denies. */
  readonly failed?: true;
}

const strictness: Readonly<Record<PolicyOutcome, number>> = {allow: 0, approval_required: 1, deny: 2};

export function isPolicyOutcome(value: unknown): value is PolicyOutcome {
  return typeof value === 'string' && Object.hasOwn(strictness, value);
}

/** Positive when `a` is stricter than `b`, negative when it is looser. */
export function compareStrictness(a: PolicyOutcome, b: PolicyOutcome): number {
  return strictness[a] - strictness[b];
}
