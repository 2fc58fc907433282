// What compiling and asking rules needs of the outside: a regex engine, a clock, and the tools.
import type {Permission, ToolSink} from '@lumenflow/schemas';
import type {Outcome} from '../outcome.ts';
import type {TouchedPath} from './policy-request.ts';

export interface PolicyRegex {
  test(text: string): boolean;
  /** Replaces each match by a text without special characters. */
  replaceAll(text: string, by: string): string;
}

/** Powers the policy is lent. */
export interface PolicyCompilerPorts {
  /** An unanchored pattern that runs in linear time, or what is wrong with the source. */
  compileRegex(source: string): Outcome<PolicyRegex, string>;
  /** Milliseconds from an arbitrary point, never going back. */
  monotonic(): number;
  /** Groups of persons who approve, by name. */
  readonly groups?: Readonly<Record<string, readonly string[] | undefined>> | undefined;
  /** What a tool's declaration says of its calls, for examples; undefined for a tool that is not known. */
  describeTool?(name: string): DescribedTool | undefined;
}

export interface DescribedTool {
  readonly permission: Permission;
  readonly sink?: ToolSink | undefined;
  /** An input as rules see it. */
  read(given: unknown): {readonly value: unknown; readonly touched: readonly TouchedPath[]};
}
