// A call whose writes are staged, as the backend and the host see it.
import type {ChangeEntry} from '@lumenflow/schemas';
import type {CallerView} from './caller-view.ts';
import type {TransactionView} from '../backends/transaction-view.ts';

export interface TransactionFailure {
  readonly code: 'SCOPE_DENIED' | 'LIMIT_EXCEEDED' | 'TOOL_EXECUTION_FAILED';
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface FinishedView {
  /** What was changed; absent when that could not be found out. */
  readonly entries?: readonly ChangeEntry[];
  /** Why nothing of it may be applied. */
  readonly failure?: TransactionFailure;
}

/** What became of changes; the port of the kernel has the same shape. */
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

/** `apply` and `park` follow `finish`, when it gave entries and no failure; `close` discards what neither has taken. */
export interface Transaction extends TransactionView {
  /** For the calls that this one makes, from when its view is open until it has ended. */
  asCaller(): CallerView | undefined;
  /** Aborts when the call met a limit of what it may write. */
  readonly exceeded: AbortSignal;
  /** Once the call is over. `keep`: whether the call has succeeded. Never rejects for what is in the view. */
  finish(keep: boolean): Promise<FinishedView>;
  /** Undefined when it is binary, larger or not there. */
  text(path: string, side: 'before' | 'after', maxBytes: number): Promise<string | undefined>;
  /** `receiptId`: under which a conflict is kept. */
  apply(receiptId: string): Promise<AppliedChanges>;
  /**
   * Nothing is kept if somebody else has changed the same paths: a person would approve a difference that the call did not make.
   */
  park(receiptId: string): Promise<ParkedCallChanges>;
  /** Leaves nothing behind. */
  close(): Promise<void>;
}
