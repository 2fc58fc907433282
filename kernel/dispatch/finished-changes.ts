// The changes of a finished call, as a dispatcher passes them to the kernel and keeps them while a person decides.
import type {ChangeSet} from '@lumenflow/schemas';

/**
 * What a finished call has written; it can no longer change. Paths, kinds and sizes have been checked against the grant.
 * The kernel calls exactly one of `apply`, `park` and `discard`, once. Each rejects only if the host itself fails.
 */
export interface FinishedChanges {
  readonly changes: ChangeSet;
  /** Text of a file for policies and diffs; undefined if it is binary, larger than `maxBytes` of UTF-8, or missing. */
  text(path: string, side: 'before' | 'after', maxBytes: number): Promise<string | undefined>;
  /** Applies all changes, or none if somebody else has changed what they build on. */
  apply(): Promise<ApplyResult>;
  /** Keeps the changes durably under the call's receipt id, for `ParkedChanges`, unless somebody else has changed what they build on. */
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
  /** Whether changes are parked under this id. */
  has(receiptId: string): Promise<boolean>;
  /** The ids of all parked changes. */
  list(): Promise<readonly string[]>;
  /** Applies exactly this change set, once. After a conflict it stays parked. Rejects if the parked change set is another one. */
  apply(receiptId: string, changes: ChangeSet): Promise<ApplyResult>;
  /** Does nothing if there are no changes under this id. */
  discard(receiptId: string): Promise<void>;
}
