// A call whose writes are held back, as the backend and the host see it.
import type {HeldChanges, SandboxProfile} from '@lumenflow/schemas';
import type {SandboxProblem} from '../backends/sandbox-problem.ts';
import type {WorkspaceView} from './workspace-view.ts';

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

export interface Transaction {
  /** For the backend, before the call starts. `enter` starts a command in the namespaces that the call shares. */
  open(
    profile: SandboxProfile,
    enter: readonly string[],
  ): Promise<Pick<WorkspaceView, 'enter' | 'profile' | 'degraded'> | SandboxProblem>;
  /** Once the call is over. `keep`: whether the call has succeeded. Never rejects for what is in the view. */
  settle(keep: boolean): Promise<Settlement>;
  /** Leaves nothing behind. */
  close(): Promise<void>;
}
