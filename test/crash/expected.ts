// What must be found after a crash.
import type {Acknowledgement, RefusedTransition} from './acknowledgement.ts';

export interface Expected {
  /** What must be recorded. */
  readonly reported: readonly Acknowledgement[];
  /** What must not be recorded. */
  readonly refused?: readonly RefusedTransition[];
  /** Receipts of all effects that happened. */
  readonly effects: readonly string[];
  /** Results of an earlier check. */
  readonly earlier?: RecordedCalls;
  /** Of a process, by its pid: whether its open calls may have been closed as crashed. Default: of all. */
  readonly mayBeCrashed?: (pid: number) => boolean;
  /** Contents of records up to this one may be gone, because a rule has deleted them. Default: 0. */
  readonly expiredThrough?: number;
  /** After a loss of power, an unacknowledged record may exist without its blob. */
  readonly powerLost?: boolean;
}

/** By receipt; a call without a result is open. */
export type RecordedCalls = ReadonlyMap<string, RecordedCall>;

export interface RecordedCall {
  readonly pid: number;
  readonly result?: string;
}
