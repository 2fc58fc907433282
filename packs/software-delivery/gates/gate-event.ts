// The events of gates: each run, with the tree that it checked.
import type {DeliveryEvent} from '../events/delivery-event.ts';

export interface RecordedGate {
  readonly name: string;
  /** SHA-256 of the gate's command and settings. */
  readonly gate_hash: string;
  readonly passed: boolean;
  readonly optional: boolean;
  readonly duration_ms: number;
  /** Receipt of the run whose result was reused. */
  readonly cached_from?: string;
  /** Why it was skipped, with a person's approval. */
  readonly waived?: string;
  readonly skipped?: true;
  readonly not_triggered?: true;
  /** The last lines of the output of a gate that failed. */
  readonly output_tail?: string;
}

export interface GatesRecorded extends DeliveryEvent {
  readonly type: 'gates_recorded';
  /** The work unit, if the task belongs to one. */
  readonly task_id: string;
  /** Receipt of the run, which names its evidence. */
  readonly receipt_id: string;
  readonly tree_hash: string;
  readonly config_hash: string;
  readonly passed: boolean;
  readonly duration_ms: number;
  readonly gates: readonly RecordedGate[];
}
