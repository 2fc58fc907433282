// A task, folded from its events.
import type {TaskState} from '@lumenflow/schemas';

/** One claim of a task. */
export interface TaskRun {
  readonly run_id: string;
  readonly session_id: string;
  /** The claimant. */
  readonly by: string;
  readonly claimed_at: string;
  /** The claim ends with this process; absent if any process may continue it. */
  readonly process_id?: string;
}

export interface TaskRecord {
  readonly task_id: string;
  readonly lane_id: string;
  /** One of a pack's task types; absent for a task of none. */
  readonly task_type?: string;
  /** SHA-256 of the spec file's bytes when the task was created, or last amended. */
  readonly spec_hash: string;
  readonly state: TaskState;
  readonly created_at: string;
  /** Last; absent while the spec is the first one. */
  readonly amended_at?: string;
  /** The current claim while active or blocked, the last one when done. */
  readonly run?: TaskRun;
  readonly blocked_reason?: string;
  readonly cancelled_reason?: string;
  readonly completed_at?: string;
  readonly evidence_refs?: readonly string[];
}
