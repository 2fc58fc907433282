// A call whose writes are held back, as the backend and the host see it.
import type {HeldChanges} from '@lumenflow/schemas';
import type {TransactionView} from '../backends/transaction-view.ts';

export interface TransactionFailure {
  readonly code: 'SCOPE_DENIED' | 'LIMIT_EXCEEDED' | 'WRITE_CONFLICT' | 'TOOL_EXECUTION_FAILED';
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface Settlement {
  /** Absent when what was changed could not be found out. */
  readonly changes?: HeldChanges;
  /** Files that were applied. */
  readonly written: readonly string[];
  /** Why nothing was applied, when it should have been. */
  readonly failure?: TransactionFailure;
}

export interface Transaction extends TransactionView {
  /** Aborts when the call met a limit of what it may write. */
  readonly exceeded: AbortSignal;
  /** Once the call is over. `keep`: whether the call has succeeded. Never rejects for what is in the view. */
  settle(keep: boolean): Promise<Settlement>;
  /** Leaves nothing behind. */
  close(): Promise<void>;
}
