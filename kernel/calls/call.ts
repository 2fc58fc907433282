// A call grows by typed stages; each stage of the pipeline takes only what the one before it gave.
import type {
  ApprovalSubject,
  CountedUse,
  GrantedScopes,
  ObservedPolicy,
  PolicyDecision,
  TaintSource,
  ToolFailure,
  Writes,
} from '@lumenflow/schemas';
import type {CallErrorCode} from '../errors.ts';
import type {LoadedPack, RegisteredTool} from '../packs/loaded-pack.ts';
import type {NamedPath} from '../paths/canonical-paths.ts';
import type {PolicyResult} from '../policy/index.ts';
import type {Grant, ScopeLayer} from '../scopes/index.ts';
import type {CompiledTask} from '../tasks/compiled-tasks.ts';
import type {TaskRun} from '../tasks/task-record.ts';
import type {RequestedTransition} from '../transitions/run-transition-check.ts';
import type {CompiledLane} from '../workspace/compiled-workspace.ts';
import type {ExecutionContext} from './execution-context.ts';

export interface CallRequest {
  readonly name: string;
  readonly input: unknown;
  readonly context: ExecutionContext;
  /** The call that makes this one, when a handler does. */
  readonly parent?: ParentCall | undefined;
  /** The kernel itself asks, before this transition: it may ask an internal tool, and before a claim in a ready task. */
  readonly checks?: RequestedTransition | undefined;
  /** The kernel itself asks what a call would do, before it asks a person about it. */
  readonly previews?: PreviewedCall | undefined;
}

/** The call that a preview is made for: what was decided about it is decided about its preview. */
export interface PreviewedCall {
  readonly tool_name: string;
  readonly policy_decisions: readonly PolicyDecision[];
}

export interface ParentCall {
  readonly receipt_id: string;
  readonly tool: RegisteredTool;
  /** Of the tool that was called. */
  readonly pack: LoadedPack;
  /** Its grant, and the layers of its callers. */
  readonly grant: Grant;
  readonly callers: readonly ScopeLayer[];
  /** In which it was admitted. */
  readonly run: TaskRun;
  /** Of the call that it makes. */
  readonly depth: number;
  /** Calls that a transactional call makes work in its view. */
  readonly writes: Writes;
  /** Receipt of the call in whose view its calls work; absent when none of its callers is transactional. */
  readonly view_receipt_id?: string | undefined;
  /** What a call wrote to its caller's view waits for a person together with everything that its outermost caller wrote. */
  carryApproval(asks: PolicyResult): void;
  /** Once it has its outcome, it can make no more calls. */
  isOver(): boolean;
}

export interface ReceivedCall {
  readonly request: CallRequest;
  readonly receipt_id: string;
  /** When it came in: UTC for the record, monotonic milliseconds for its duration. */
  readonly timestamp: string;
  readonly startedMs: number;
  /** What the caller says about the call: for policy rules and the record; grants nothing. */
  readonly execution_metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** The tool exists, and the task is active for exactly this run and session. */
export interface FoundCall extends ReceivedCall {
  readonly tool: RegisteredTool;
  readonly task: CompiledTask;
  readonly run: TaskRun;
  readonly lane: CompiledLane;
}

/** Narrowed to what workspace, lane, task, tool and the calls that lead to it all allow. */
export interface NarrowedCall extends FoundCall {
  readonly grant: Grant;
  /** What its callers leave it; none for a call from outside. */
  readonly callers: readonly ScopeLayer[];
  readonly scope_enforced: GrantedScopes;
}

/** The paths in its input are canonical. */
export interface CanonicalCall extends NarrowedCall {
  /** The paths that the input names; undefined when its tool declares none. */
  readonly paths?: readonly NamedPath[] | undefined;
}

/** The input is in the evidence store. */
export interface PersistedCall extends CanonicalCall {
  readonly input_hash: string;
  readonly input_ref: string;
}

/** Policy does not deny it. */
export interface DecidedCall extends PersistedCall {
  readonly policy_decisions: readonly PolicyDecision[];
  /** What rules that observe would have led to. */
  readonly observed?: ObservedPolicy | undefined;
  /** Limits that it counts towards. */
  readonly counted?: readonly CountedUse[] | undefined;
  /** When it was counted. */
  readonly counted_at?: string | undefined;
  /** Where the taint of its session or its task came from; undefined if there is none. */
  readonly tainted_by?: readonly TaintSource[] | undefined;
  /** Policy allows it only if a person approves. */
  readonly asks?: PolicyResult;
  /** The approval that allows it, not yet consumed. */
  readonly approval_request_id?: string;
  /** The newest calls that rules inspected, if any of them looked at earlier calls. */
  readonly seen?: readonly SeenCalls[];
}

/** What a decision saw of earlier calls. */
export interface SeenCalls {
  readonly of: {readonly task_id: string} | {readonly session_id: string};
  readonly newest: string | undefined;
}

/** The input fits the tool's schema. */
export interface CheckedCall extends DecidedCall {
  readonly checked: true;
}

/** Needs no approval, or has one. */
export interface PermittedCall extends CheckedCall {
  readonly permitted: true;
}

/** Only admit-call.ts sets it. */
export const admitted: unique symbol = Symbol('admitted');

/** The intent is recorded. Only an admitted call can be dispatched. */
export interface AdmittedCall extends PermittedCall {
  readonly [admitted]: true;
}

/**
 * Adds the results of a stage to the call, and returns the same object. A copy at each stage would cost more than the stages
 * do. An earlier stage must not be used afterwards.
 */
export function grow<Call extends ReceivedCall, More extends object>(call: Call, more: More): Call & More {
  return Object.assign(call, more);
}

export type CallFailure = ToolFailure & {readonly code: CallErrorCode};

/** A call that stops before dispatch, as far as it came. */
export interface Refusal {
  readonly refused: Partial<DecidedCall> & ReceivedCall;
  readonly failure: CallFailure;
  /** The log has its intent already. */
  readonly intended?: true;
}

export function refuse(
  call: Partial<DecidedCall> & ReceivedCall,
  code: CallErrorCode,
  message: string,
  details?: Record<string, unknown>,
): Refusal {
  return {refused: call, failure: details === undefined ? {code, message} : {code, message, details}};
}

export function isRefusal(value: object): value is Refusal {
  return 'refused' in value;
}

/** What an approval of this call binds: it allows nothing else. The check of a claim has no run yet, so it binds the claimant. */
export function callSubject(call: PersistedCall, policyDigest: string, previewDigest?: string): ApprovalSubject {
  return {
    kind: 'call',
    task_id: call.task.spec.id,
    ...(call.request.checks?.kind === 'claim' ? {actor: call.run.by} : {run_id: call.run.run_id}),
    session_id: call.run.session_id,
    tool_name: call.tool.name,
    pack_id: call.tool.pack.manifest.id,
    pack_version: call.tool.pack.manifest.version,
    pack_integrity: call.tool.pack.integrity,
    input_hash: call.input_hash,
    policy_digest: policyDigest,
    ...(previewDigest !== undefined && {preview_digest: previewDigest}),
  };
}
