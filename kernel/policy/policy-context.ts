// What a rule's condition may look at.
import type {CallResult, ChangeOp, Permission, PolicyTrigger} from '@lumenflow/schemas';

/** One earlier call of the task, oldest first in `PolicyEvaluationContext.evidence`. */
export interface TaskEvidence {
  readonly receipt_id: string;
  readonly tool_name: string;
  readonly permission: Permission;
  readonly result: CallResult | 'open';
  readonly started_at: string;
  /** Places in the evidence log: what finished before another started. `finished_seq` is absent while the call is open. */
  readonly started_seq: number;
  readonly finished_seq?: number;
  /** Of a preview: the tool whose call it was made for. */
  readonly preview_of?: string;
  /** The output's data, when the call succeeded and it is small (64 KiB); on_tool_request: the properties that were asked for. */
  readonly data?: unknown;
}

/** The call that makes this one. */
export interface Caller {
  readonly tool: string;
  /** Its pack's id. */
  readonly pack: string;
  /** How many calls this one is nested in: 1 when a call from outside makes it. */
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

/** Fixed by the specification; a factory's `when` gets exactly this, `evidence` and `caller` added. */
export interface PolicyEvaluationContext {
  readonly trigger: PolicyTrigger;
  readonly run_id: string;
  readonly tool_name?: string;
  readonly task_id?: string;
  readonly lane_id?: string;
  readonly pack_id?: string;
  readonly tool_arguments?: unknown;
  readonly execution_metadata?: Readonly<Record<string, unknown>>;
  /** Absent for a call from outside. */
  readonly caller?: Caller;
  /** The task's calls, so that a rule can ask for a passed gate: on_claim, on_completion, and where a rule says `evidence_data`. */
  readonly evidence?: readonly TaskEvidence[];
  /** on_changes: what the call has changed, sorted by path. */
  readonly changes?: readonly JudgedChange[];
}
