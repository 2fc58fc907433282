// Transactions of one workspace: calls whose writes are staged, checked, and applied as a whole or not at all.
import {randomUUID} from 'node:crypto';
import {mkdirSync} from 'node:fs';
import {mkdir, rmdir} from 'node:fs/promises';
import {join, relative} from 'node:path';
import type {ResourceLimits} from '@lumenflow/schemas';
import {removeTree} from '../files/remove-tree.ts';
import type {Outcome} from '../outcome.ts';
import {applyParked} from './apply-parked.ts';
import {createParkedChanges, type ParkedChanges} from './create-parked-changes.ts';
import type {CallerView} from './caller-view.ts';
import {createSeals} from './create-seals.ts';
import {createSpareViews} from './create-spare-views.ts';
import {createCallTransaction} from './create-call-transaction.ts';
import {nextTick, type NamesAtStart} from './find-conflicts.ts';
import type {WriteAccess} from './judge-changes.ts';
import {makeGiven, type GivenChanges, type GivenTransaction} from './make-given.ts';
import {hasJournal, type JournalSeal} from './journal.ts';
import {recoverTransactions, transactionName, transactionsFolder, type RecoveryInput} from './recover-transactions.ts';
import type {RecoveryNote} from './recovery-note.ts';
import {createRemovals} from './removals.ts';
import type {Transaction} from './transaction.ts';
import {parkChanges, type ParkInput} from './park-changes.ts';
import {oneAtATime} from './one-at-a-time.ts';
import type {ViewStorage} from './workspace-view.ts';
import {createWriteBudget} from './write-budget.ts';
import {defaultWriteLimits, totalWriteBytesDefault, type WriteLimits} from './write-limits.ts';

export interface Transactions {
  begin(call: TransactionalCall): Promise<Transaction>;
  /** Changes that need no call to run. See `makeGiven`. */
  make(given: GivenChanges): Promise<Outcome<GivenTransaction, readonly string[]>>;
  /** Undoes what dead processes left half applied. `begin` also does so. Never rejects. */
  recover(): Promise<void>;
  /** Resolves once nothing is left of calls that have ended: they are answered before it is removed. */
  cleared(): Promise<void>;
  readonly parked: ParkedChanges;
}

export interface TransactionalCall {
  readonly access: WriteAccess;
  readonly limits: ResourceLimits;
  readonly namesAtStart: NamesAtStart;
  /** The calling call: this one works in its view and writes to it. */
  readonly caller?: CallerView | undefined;
  /** Called with the path of the workspace, as the call sees it, for this process. */
  onOpen(door: string): void;
}

export interface TransactionsOptions {
  /** Absolute, without symlinks. */
  readonly root: string;
  /** Identifies this process to others of the workspace, and returns which of them are still alive. */
  readonly processes: {readonly processId: string; isAlive(processId: string): boolean};
  /** Absolute, outside the workspace, for this user only: contains the key that signs journals. */
  readonly stateFolder: string;
  /** Maximum that all transactional calls may write together; default 16 GiB. */
  readonly totalWriteBytes?: number;
  /** Called with what was undone and what could not be undone. */
  onRecovered?(note: RecoveryNote): void;
}

const parkedName = 'parked';

export function createTransactions(options: TransactionsOptions): Transactions {
  const {root, processes, stateFolder, totalWriteBytes = totalWriteBytesDefault} = options;
  const storage: ViewStorage = {budget: createWriteBudget(totalWriteBytes), upper: {}};
  const all = join(root, transactionsFolder);
  const parkedFolder = join(all, parkedName);
  // If two calls change the same path, the second finds the mark of the first.
  const exclusively = oneAtATime();
  const sealOf = createSeals(root, stateFolder);
  const recover = recovery({root, processes, sealOf}, options.onRecovered);

  function newTransaction(): OwnTransaction {
    const id = randomUUID();
    return {folder: join(all, transactionName(processes.processId, id)), seal: async () => await sealOf(id)};
  }

  async function makeFolder(): Promise<string> {
    const {folder} = newTransaction();
    await mkdir(folder, {recursive: true, mode: 0o700});
    return folder;
  }

  /** Never rejects. */
  async function discard(folder: string): Promise<void> {
    try {
      // The next host recovers what could not be undone.
      if (!(await hasJournal(folder))) await removeTree(folder);
      await rmdir(all).catch(unlessInUse);
    } catch (error) {
      const message = `files that a call left could not be removed: ${String(error)}`;
      options.onRecovered?.({kind: 'litter', where: transactionsFolder, message, help: 'remove them manually'});
    }
  }

  const removals = createRemovals(discard);

  const park = async (input: ParkInput): Promise<string> =>
    relative(root, await parkChanges(input, {folder: newTransaction().folder, all: parkedFolder}));

  const spareViews = createSpareViews({root, storage, makeFolder, discard: removals.begin});
  return {
    recover,
    cleared: removals.ended,
    make: (given) => makeTransaction(given, {root, recover, newTransaction, exclusively, park, discard}),
    parked: parkedChanges({root, all: parkedFolder, recover, newTransaction, discard, exclusively}),
    async begin({access, limits, namesAtStart, onOpen, caller}) {
      await Promise.all([recover(), removals.room()]);
      const {folder, seal} = newTransaction();
      mkdirSync(folder, {recursive: true, mode: 0o700});
      const bounds = boundsOf(limits);
      return createCallTransaction({
        root,
        folder,
        seal,
        access,
        namesAtStart,
        onOpen,
        caller,
        ...storage,
        limits: bounds,
        spareViews: spareViews(bounds),
        startNs: await nextTick(folder),
        exclusively,
        discard: () => void removals.begin(folder),
        park,
      });
    },
  };
}

/** A second caller waits, since paths that are being undone are not yet as they were. */
function recovery(input: RecoveryInput, onRecovered: TransactionsOptions['onRecovered']): () => Promise<void> {
  const oneByOne = oneAtATime();
  return async () => {
    const notes = await oneByOne(async () => await recoverTransactions(input));
    for (const note of notes) onRecovered?.(note);
  };
}

/** The last one removes the empty folder; the others leave it in place. */
function unlessInUse(error: NodeJS.ErrnoException): void {
  if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(error.code ?? '')) throw error;
}

interface OwnTransaction {
  readonly folder: string;
  seal(): Promise<JournalSeal>;
}

interface ParkingContext {
  readonly root: string;
  readonly all: string;
  recover(): Promise<void>;
  newTransaction(): OwnTransaction;
  discard(folder: string): Promise<void>;
  exclusively<T>(work: () => Promise<T>): Promise<T>;
}

function parkedChanges({root, all, recover, newTransaction, discard, exclusively}: ParkingContext): ParkedChanges {
  return createParkedChanges({
    root,
    all,
    async apply(kept, changes) {
      await recover();
      const {folder, seal} = newTransaction();
      await mkdir(folder, {recursive: true, mode: 0o700});
      try {
        return await exclusively(async () => {
          const startNs = await nextTick(folder);
          return await applyParked({root, folder, startNs, seal, changes, parked: kept});
        });
      } finally {
        await discard(folder);
      }
    },
  });
}

interface MakingContext extends Omit<ParkingContext, 'all'> {
  park(input: ParkInput): Promise<string>;
}

async function makeTransaction(
  given: GivenChanges,
  {recover, newTransaction, discard, ...common}: MakingContext,
): ReturnType<Transactions['make']> {
  await recover();
  const {folder, seal} = newTransaction();
  await mkdir(folder, {recursive: true, mode: 0o700});
  const close = async (): Promise<void> => await discard(folder);
  try {
    const made = await makeGiven(given, {...common, folder, seal, startNs: await nextTick(folder), discard: close});
    if (!made.ok) await close();
    return made;
  } catch (error) {
    await close();
    throw error;
  }
}

function boundsOf({write_bytes, write_files}: ResourceLimits): WriteLimits {
  return {bytes: write_bytes ?? defaultWriteLimits.bytes, files: write_files ?? defaultWriteLimits.files};
}
