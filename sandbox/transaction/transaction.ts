// A call whose writes are staged, as the backend and the host see it.
import type {ChangeEntry} from '@lumenflow/schemas';
import type {CallerView} from './caller-view.ts';
import type {TransactionView} from '../backends/transaction-view.ts';

export interface TransactionProblem {
  readonly code: 'SCOPE_DENIED' | 'LIMIT_EXCEEDED' | 'TOOL_EXECUTION_FAILED';
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface FinishedView {
  /** The changes; absent if they could not be determined. */
  readonly entries?: readonly ChangeEntry[];
  /** Why none of them may be applied. */
  readonly problem?: TransactionProblem;
}

/** The outcome of changes; the port of the kernel has the same shape. */
export type AppliedChanges =
  | {
      readonly state: 'applied';
      /** Files created and modified, relative to the workspace. */
      readonly written: readonly string[];
    }
  | {
      readonly state: 'conflict';
      readonly conflicts: readonly string[];
      /** Directory that still has the changes, relative to the workspace; a nested call's are discarded. */
      readonly kept_in?: string;
    };

export type ParkedCallChanges =
  | {readonly state: 'parked'}
  | {readonly state: 'conflict'; readonly conflicts: readonly string[]};

/** `apply` and `park` follow `finish` if it returned entries and no problem; `close` discards what neither has used. */
export interface Transaction extends TransactionView {
  /** For nested calls, from the opening of its view until it has ended. */
  asCaller(): CallerView | undefined;
  /** Aborts when the call reaches a write limit. */
  readonly exceeded: AbortSignal;
  /** Call it after the call. `keep`: whether the call succeeded. Never rejects because of the contents of the view. */
  finish(keep: boolean): Promise<FinishedView>;
  /** Undefined if it is binary, larger or missing. */
  text(path: string, side: 'before' | 'after', maxBytes: number): Promise<string | undefined>;
  /** `receiptId`: the id under which a conflict is kept. */
  apply(receiptId: string): Promise<AppliedChanges>;
  /**
   * Nothing is kept if somebody else has changed the same paths: a person would approve a difference that the call did not make.
   */
  park(receiptId: string): Promise<ParkedCallChanges>;
  /** Leaves nothing behind. */
  close(): Promise<void>;
}
