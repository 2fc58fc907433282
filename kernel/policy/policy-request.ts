// One question to the policy: what a rule's condition may look at.
import type {PathAccess, Permission, PolicyEvaluationContext, ToolSink} from '@lumenflow/schemas';
import type {PathPattern} from '../scopes/index.ts';
import type {TaintOrigin} from '../taint/taint.ts';
import {isRecord} from './is-record.ts';
import type {History} from './past-calls.ts';
import type {ShellLines} from './shell/shell-lines.ts';

export interface PolicyRequest {
  readonly context: PolicyEvaluationContext;
  /** The call's input when it is not a JSON object, so that it is not in `context.tool_arguments`. */
  readonly input?: unknown;
  /** Permission of the tool in question; absent on a claim or a completion. */
  readonly permission?: Permission | undefined;
  /** Mark of the tool. */
  readonly sink?: ToolSink | undefined;
  /** The command lines in its input, parsed once for all rules. */
  readonly shellLines?: ShellLines;
  readonly session_id?: string | undefined;
  /** What has tainted its session or its task; default nothing. */
  tainted?(): readonly TaintOrigin[];
  /** on_tool_request: what calls of untrusted tools returned in the session or the task, where a rule asks for it. */
  readonly returned?: readonly ReturnedText[] | undefined;
  /** What the calls of a limit add up to, by its key, within a period that ends with this request; default 0. */
  used?(key: string, perMs: number | undefined): number;
  /** on_tool_request: what its session and its task did before, where a rule asks for it. */
  readonly history?: History | undefined;
  /** on_changes: the lines that the call added to text files, where a rule asks for them. */
  readonly added?: AddedText;
  /** on_tool_result: the texts in what the tool returned. */
  output?(): readonly string[];
  /** on_tool_result, before there is a result: whether each condition on it is assumed to match. */
  readonly supposed_output?: boolean;
  /** The paths that it says it touches; absent when it says nothing of paths. */
  readonly touched?: readonly TouchedPath[] | undefined;
}

/** What a call of an untrusted tool returned. */
export interface ReturnedText {
  readonly tool_name: string;
  /** Undefined if not all of it is recorded, for example of a call that failed. */
  readonly texts: readonly string[] | undefined;
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
