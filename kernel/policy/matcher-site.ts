// Where a matcher is compiled: the lent regex engine, and the list that its problems go to.
import type {PolicyCompilerPorts} from './policy-compiler-ports.ts';

export interface MatcherSite {
  /** What it matches is let through: where it is in doubt, it must not match. */
  readonly isPermissive: boolean;
  readonly compileRegex: PolicyCompilerPorts['compileRegex'];
  readonly describeTool: NonNullable<PolicyCompilerPorts['describeTool']>;
  /** Notes a problem at a JSON pointer into the rule and gives a condition that never holds; the rule then denies. */
  fault(pointer: string, code: string, message: string, help?: string): () => false;
}
