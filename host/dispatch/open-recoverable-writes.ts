// What calls write, in either mode, is noted before they do, so that a host can finish what another one began that has died:
// transactions that it was applying, looks after calls that wrote directly.
import type {ProcessRegistry} from '@lumenflow/kernel';
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
  /** The person's home directory, whose credential stores are hidden. */
  readonly home: string;
  /** Names this host to others of the workspace, and reports which of them are alive. */
  readonly processes: ProcessRegistry;
  /** Absolute, outside of the workspace: what this user's hosts keep for all workspaces. */
  readonly stateFolder: string;
  /** Told what calls of hosts that died have left, and what became of it. */
  onRecovered?(note: RecoveryNote): void;
}

export interface RecoverableWrites {
  readonly transactions: Transactions;
  readonly looks: DirectLooks;
  /** Fulfilled once what interrupted calls have left was looked through. */
  readonly recovered: Promise<void>;
}

/** Starts the recovery immediately. `workspaceRoot` is without symlinks here. */
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
    // In a workspace that is a person's home it has to be there before a call, since only what is there can be hidden. Where it
    // cannot be made, calls that need it say so.
    if (stateFolder.startsWith(`${root}/`)) await openJournalKey(stateFolder).catch(() => undefined);
    await transactions.recover();
    for (const note of await looks.finishInterrupted()) options.onRecovered?.(note);
  };
  return {transactions, looks, recovered: recover()};
}
