// A rule with the place it is written at: what a layer is compiled from.
import type {PolicyOutcome, PolicyRule, PolicyTrigger} from '@lumenflow/schemas';
import type {PolicyEvaluationContext} from './policy-context.ts';

/** A rule made by a pack's policy_factory. */
export interface FactoryRule {
  readonly id: string;
  readonly trigger: PolicyTrigger;
  readonly decision: PolicyOutcome;
  readonly reason?: string;
  /**
   * on_tool_request: the condition looks at the task's evidence too, and of each output's data at these properties.
   * Empty: what was called and how it ended is enough.
   */
  readonly evidence_data?: readonly string[];
  /** Synchronous; a throw or more than 50 ms counts as deny. */
  readonly when?: (context: PolicyEvaluationContext) => boolean;
  /** Whoever runs the condition measures its time, better than by the wall clock: one that is slow throws. */
  readonly is_timed?: true;
}

export interface PlacedRule {
  readonly rule: PolicyRule | FactoryRule;
  /** `file:line:column` */
  readonly where: string;
  /** `file:line:column` of a JSON pointer into the rule; without it problems inside are placed at `where`. */
  locate?(pointer: string): string;
}
