// What the rules of policy factories are asked about, and what such a rule is. Written by hand: a rule has a function.
import type {CallResult, ChangeOp, Permission, PolicyOutcome, PolicyTrigger} from './generated/types.ts';

/** One earlier call of the task. */
export interface TaskEvidence {
  readonly receipt_id: string;
  readonly tool_name: string;
  readonly permission: Permission;
  readonly result: CallResult | 'open';
  /** UTC, ISO 8601. */
  readonly started_at: string;
  /** Positions in the evidence log: what finished before another started. `finished_seq` is absent while the call is open. */
  readonly started_seq: number;
  readonly finished_seq?: number;
  /** Of a preview: the tool whose call it was made for. */
  readonly preview_of?: string;
  /** The output's data, when the call succeeded and it is small (64 KiB); on_tool_request: the properties that were asked for. */
  readonly data?: unknown;
}

/** The call that makes a nested call. */
export interface Caller {
  readonly tool: string;
  /** Its pack's id. */
  readonly pack: string;
  /** How many calls the nested one is inside of: 1 when a call from outside makes it. */
  readonly depth: number;
}

/** One entry of what a call has changed. */
export interface JudgedChange {
  /** Relative to the workspace root. */
  readonly path: string;
  readonly op: ChangeOp;
  /** The path before a rename. */
  readonly from?: string;
  /** Size of a file that was created or modified. */
  readonly bytes?: number;
}

/** What a rule's `when` is given. Fixed by the specification; `caller`, `evidence` and `changes` are added to it. */
export interface PolicyEvaluationContext {
  readonly trigger: PolicyTrigger;
  readonly run_id: string;
  readonly tool_name?: string;
  readonly task_id?: string;
  readonly lane_id?: string;
  readonly pack_id?: string;
  /** The call's input; absent unless it is a JSON object. */
  readonly tool_arguments?: Readonly<Record<string, unknown>>;
  readonly execution_metadata?: Readonly<Record<string, unknown>>;
  /** Absent for a call from outside. */
  readonly caller?: Caller;
  /** The task's calls, oldest first, so that a rule can require a passed gate: on_claim, on_completion, and for rules with `evidence_data`. */
  readonly evidence?: readonly TaskEvidence[];
  /** on_changes: what the call has changed, sorted by path. */
  readonly changes?: readonly JudgedChange[];
}

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
  /** Synchronous. A throw, or more than 50 ms of work, counts as deny. */
  readonly when?: (context: PolicyEvaluationContext) => boolean;
}
