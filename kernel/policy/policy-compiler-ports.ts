// What compiling and asking rules needs of the outside: a regex engine, a clock, and the tools.
import type {Permission} from '@lumenflow/schemas';
import type {Outcome} from '../outcome.ts';
import type {TouchedPath} from './policy-request.ts';

/** Powers the policy is lent. */
export interface PolicyCompilerPorts {
  /** An unanchored test that runs in linear time, or what is wrong with the source. */
  compileRegex(source: string): Outcome<{test(text: string): boolean}, string>;
  /** Milliseconds from an arbitrary point, never going back. */
  monotonic(): number;
  /** What a tool's declaration says of its calls, for examples; undefined for a tool that is not known. */
  describeTool?(name: string): DescribedTool | undefined;
}

export interface DescribedTool {
  readonly permission: Permission;
  /** An input as rules see it. */
  read(given: unknown): {readonly value: unknown; readonly touched: readonly TouchedPath[]};
}
