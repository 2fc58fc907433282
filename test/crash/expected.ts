// What must be found after a crash.
import type {Acknowledgement, RefusedTransition} from './acknowledgement.ts';

export interface Expected {
  /** What must stand. */
  readonly told: readonly Acknowledgement[];
  /** What must not stand. */
  readonly refused?: readonly RefusedTransition[];
  /** Receipts of all effects that happened. */
  readonly effects: readonly string[];
  /** Results that stood at an earlier check. */
  readonly earlier?: RecordedCalls;
  /** Of a process, by its pid: whether its open calls may have been closed as crashed. Default: of all. */
  readonly mayBeCrashed?: (pid: number) => boolean;
  /** After a loss of power a record that was promised to nobody may be there without its blob. */
  readonly powerLost?: boolean;
}

/** By receipt; a call without a result is open. */
export type RecordedCalls = ReadonlyMap<string, RecordedCall>;

export interface RecordedCall {
  readonly pid: number;
  readonly result?: string;
}
