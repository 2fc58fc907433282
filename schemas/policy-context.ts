// The rules of policy factories, and the context that they receive. Written by hand, because a rule has a function.
import type {
  CallResult,
  CallRole,
  CallSurface,
  ChangeOp,
  Permission,
  PolicyOutcome,
  PolicyTrigger,
} from './generated/types.ts';

/** One earlier call of the task. */
export interface TaskEvidence {
  readonly receipt_id: string;
  readonly tool_name: string;
  readonly permission: Permission;
  readonly result: CallResult | 'open';
  /** UTC, ISO 8601. */
  readonly started_at: string;
  /** Positions in the evidence log, which show what finished before another call started. `finished_seq` is absent while the call is open. */
  readonly started_seq: number;
  readonly finished_seq?: number;
  /** Only for a preview: the tool that it previews. */
  readonly preview_of?: string;
  /** The output's data, if the call succeeded and the data has at most 64 KiB. on_tool_request: only the requested properties. */
  readonly data?: unknown;
}

/** The call that makes a nested call. */
export interface Caller {
  readonly tool: string;
  /** Its pack's id. */
  readonly pack: string;
  /** Nesting depth: 1 if a call from outside makes the nested call. */
  readonly depth: number;
}

/** One changed path of a call. */
export interface JudgedChange {
  /** Relative to the workspace root. */
  readonly path: string;
  readonly op: ChangeOp;
  /** The path before a rename. */
  readonly from?: string;
  /** Size of a file that was created or modified. */
  readonly bytes?: number;
}

/** The argument of a rule's `when`. The specification defines it; `at`, `actor`, `surface`, `role`, `caller`, `evidence` and `changes` are additions. */
export interface PolicyEvaluationContext {
  readonly trigger: PolicyTrigger;
  readonly run_id: string;
  readonly tool_name?: string;
  readonly task_id?: string;
  readonly lane_id?: string;
  readonly pack_id?: string;
  /** When the call, the claim or the completion came in: UTC, ISO 8601. All decisions about a call use the same time. */
  readonly at?: string;
  /** The name of the principal. */
  readonly actor?: string;
  /** Where a call came in, and as what; absent on a claim and a completion. */
  readonly surface?: CallSurface;
  readonly role?: CallRole;
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

/** A rule that a pack's policy_factory returns. */
export interface FactoryRule {
  readonly id: string;
  readonly trigger: PolicyTrigger;
  readonly decision: PolicyOutcome;
  readonly reason?: string;
  /**
   * on_tool_request: the condition also reads the task's evidence, with these properties of each output's data.
   * Empty: it reads only the tools and results of the calls.
   */
  readonly evidence_data?: readonly string[];
  /** Synchronous. A throw, or more than 50 ms of work, counts as deny. */
  readonly when?: (context: PolicyEvaluationContext) => boolean;
}
