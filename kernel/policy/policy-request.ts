// One question to the policy: what a rule's condition may look at.
import type {Permission} from '@lumenflow/schemas';
import type {PolicyEvaluationContext} from './policy-context.ts';

export interface PolicyRequest {
  readonly context: PolicyEvaluationContext;
  /** Permission of the tool in question; absent on a claim or a completion. */
  readonly permission?: Permission;
}

/** A compiled `when`. */
export type Condition = (request: PolicyRequest) => boolean;
