// The facts about gates: each run of them, with what it ran on.
import type {DeliveryEvent} from '../events/delivery-event.ts';

export interface RecordedGate {
  readonly name: string;
  /** SHA-256 of what it ran. */
  readonly gate_hash: string;
  readonly passed: boolean;
  readonly optional: boolean;
  readonly duration_ms: number;
  /** The receipt of the run whose result was taken. */
  readonly cached_from?: string;
  /** Why it was not run, with a person's approval. */
  readonly waived?: string;
  readonly skipped?: true;
  readonly not_triggered?: true;
}

export interface GatesRecorded extends DeliveryEvent {
  readonly type: 'gates_recorded';
  /** The work unit, where the task is one. */
  readonly task_id: string;
  /** Of the run: names its evidence. */
  readonly receipt_id: string;
  readonly tree_hash: string;
  readonly config_hash: string;
  readonly passed: boolean;
  readonly duration_ms: number;
  readonly gates: readonly RecordedGate[];
}
