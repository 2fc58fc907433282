// Records a note before a call writes, in either mode. If the host dies, another host uses the notes to finish: it applies open
// transactions and checks the files of direct calls.
import type {ProcessRegistry} from '@lumenflow/kernel/adapters';
import {
  createDirectLooks,
  createTransactions,
  openJournalKey,
  type DirectLooks,
  type RecoveryNote,
  type Transactions,
} from '@lumenflow/sandbox';
import {compilePattern} from '../compile-pattern.ts';

export interface RecoverableWritesOptions {
  /** Must exist. */
  readonly workspaceRoot: string;
  /** The user's home directory, whose credential stores are hidden. */
  readonly home: string;
  /** Identifies this host to other hosts of the workspace, and reports which of them are alive. */
  readonly processes: ProcessRegistry;
  /** Absolute, outside of the workspace: data that this user's hosts keep for all workspaces. */
  readonly stateFolder: string;
  /** Receives what calls of dead hosts left behind, and how it was handled. */
  onRecovered?(note: RecoveryNote): void;
}

export interface RecoverableWrites {
  readonly transactions: Transactions;
  readonly looks: DirectLooks;
  /** Fulfilled once the leftovers of interrupted calls were checked. */
  readonly recovered: Promise<void>;
}

/** Starts the recovery immediately. `workspaceRoot` contains no symlinks here. */
export function openRecoverableWrites(options: RecoverableWritesOptions): RecoverableWrites {
  const {workspaceRoot: root, home, processes, stateFolder} = options;
  const transactions = createTransactions({
    root,
    processes,
    stateFolder,
    ...(options.onRecovered && {onRecovered: options.onRecovered}),
  });
  const looks = createDirectLooks({root, home, processes, stateFolder, compilePattern});
  const recover = async (): Promise<void> => {
    // If the workspace is the user's home, the directory must exist before a call, because only existing paths can be hidden. If
    // it cannot be created, calls that need it report the failure.
    if (stateFolder.startsWith(`${root}/`)) await openJournalKey(stateFolder).catch(() => undefined);
    await transactions.recover();
    for (const note of await looks.finishInterrupted()) options.onRecovered?.(note);
  };
  return {transactions, looks, recovered: recover()};
}
