// What a dispatcher gives the kernel of what a call has written, and keeps of it while a person is asked.
import type {ChangeSet} from '@lumenflow/schemas';

/**
 * What a finished call has written: nothing writes to it any more. Paths, kinds and sizes were checked against the grant
 * before. Exactly one of `apply`, `park` and `discard` is called, once; each rejects only when the host itself fails.
 */
export interface FinishedChanges {
  readonly changes: ChangeSet;
  /** Text of a file for policies and diffs; undefined when it is binary, larger than `maxBytes` of UTF-8, or not there. */
  text(path: string, side: 'before' | 'after', maxBytes: number): Promise<string | undefined>;
  /** All of it, or nothing where somebody else has changed what it builds on. */
  apply(): Promise<ApplyResult>;
  /** Keeps it under the call's receipt id, durable, for `ParkedChanges`; nothing where somebody else has changed what it builds on. */
  park(): Promise<ParkResult>;
  discard(): Promise<void>;
}

export type ApplyResult =
  | {
      readonly state: 'applied';
      /** Files created and modified, relative to the workspace. */
      readonly written: readonly string[];
    }
  | {
      readonly state: 'conflict';
      /** Paths that somebody else has changed. */
      readonly conflicts: readonly string[];
      /** Directory that still has the changes, relative to the workspace; they are parked under the receipt id. A nested call's are discarded. */
      readonly kept_in?: string;
    };

export type ParkResult =
  | {readonly state: 'parked'}
  | {
      readonly state: 'conflict';
      /** Paths that somebody else has changed. */
      readonly conflicts: readonly string[];
    };

/** Changes that wait in the workspace's state, by the receipt of the call that made them. */
export interface ParkedChanges {
  /** Whether there is anything under this id. */
  has(receiptId: string): Promise<boolean>;
  /** The ids under which there is something. */
  list(): Promise<readonly string[]>;
  /** Applies exactly these, once: a conflict leaves them parked. Rejects when what is kept is not this change set. */
  apply(receiptId: string, changes: ChangeSet): Promise<ApplyResult>;
  /** Nothing to do when there is nothing. */
  discard(receiptId: string): Promise<void>;
}
