// Where a matcher is compiled: the lent regex engine, and the list that its problems go to.
import type {LayerCaches} from './layer-caches.ts';
import type {PolicyCompilerPorts} from './policy-compiler-ports.ts';

export interface MatcherSite extends LayerCaches {
  /** A match allows something: in doubt, it must not match. */
  readonly isPermissive: boolean;
  readonly compileRegex: PolicyCompilerPorts['compileRegex'];
  readonly describeTool: NonNullable<PolicyCompilerPorts['describeTool']>;
  /** Reports a problem at a JSON pointer into the rule, and returns a condition that never matches; the rule then denies. */
  reject(pointer: string, code: string, message: string, help?: string): () => false;
}
