// A rule with the place it is written at: what a layer is compiled from.
import type {FactoryRule, PolicyRule} from '@lumenflow/schemas';

/** A factory's rule as the host loads it. */
export interface LoadedRule extends FactoryRule {
  /** Its caller measures the condition's time, better than by the wall clock: one that is slow throws. */
  readonly is_timed?: true;
}

export interface LocatedRule {
  readonly rule: PolicyRule | LoadedRule;
  /** `file:line:column` */
  readonly where: string;
  /** `file:line:column` of a JSON pointer into the rule; without it problems inside are located at `where`. */
  locate?(pointer: string): string;
}
