// One question to the policy: what a rule's condition may look at.
import type {PathAccess, Permission, PolicyEvaluationContext} from '@lumenflow/schemas';
import type {PathPattern} from '../scopes/index.ts';
import {isRecord} from './is-record.ts';

export interface PolicyRequest {
  readonly context: PolicyEvaluationContext;
  /** The call's input when it is not a JSON object, so that it is not in `context.tool_arguments`. */
  readonly input?: unknown;
  /** Permission of the tool in question; absent on a claim or a completion. */
  readonly permission?: Permission | undefined;
  /** on_changes: the lines that the call added to text files, where a rule asks for them. */
  readonly added?: AddedText;
  /** The paths that it says it touches; absent when it says nothing of paths. */
  readonly touched?: readonly TouchedPath[] | undefined;
}

/** A call's input as a request has it. */
export function requestInput(input: unknown): {
  readonly input?: unknown;
  readonly context: Pick<PolicyEvaluationContext, 'tool_arguments'>;
} {
  return isRecord(input) ? {context: {tool_arguments: input}} : {input, context: {}};
}

/** A path that a request touches, canonical. */
export interface TouchedPath {
  readonly path: string;
  readonly access: PathAccess;
  /** Where its links lead, when that is another path of the workspace. */
  readonly leads_to?: string;
  /** Its links lead out of the workspace, or cannot be followed. */
  readonly leads_out?: boolean;
  /** Of a directory that is meant with all that is in it: what of that may be touched. */
  readonly below?: () => readonly PathPattern[];
}

export interface AddedText {
  readonly texts: readonly string[];
  /** There was more than could be inspected. */
  readonly isPartial: boolean;
}

/** A compiled `when`. */
export type Condition = (request: PolicyRequest) => boolean;
