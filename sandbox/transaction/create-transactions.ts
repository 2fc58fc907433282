// Transactions of one workspace: calls whose writes are held back, checked, and applied as a whole or not at all.
import {randomUUID} from 'node:crypto';
import {mkdir, readdir, rename, rmdir, writeFile} from 'node:fs/promises';
import {join, relative} from 'node:path';
import type {ResourceLimits} from '@lumenflow/schemas';
import {orAbsent} from '../files/or-absent.ts';
import {removeTree} from '../files/remove-tree.ts';
import {applyParked} from './apply-parked.ts';
import {createParkedChanges, type ParkedChanges} from './create-parked-changes.ts';
import {createTransaction} from './create-transaction.ts';
import {nextTick, type NamesAtStart} from './find-conflicts.ts';
import type {WriteAccess} from './judge-changes.ts';
import {readJournal} from './journal.ts';
import type {Transaction} from './transaction.ts';
import {parkChanges} from './park-changes.ts';
import {oneAtATime} from './one-at-a-time.ts';
import {undoSteps} from './undo-steps.ts';
import type {ViewPlace} from './workspace-view.ts';
import {createWriteBudget} from './write-budget.ts';
import {defaultWriteLimits, totalWriteBytesDefault} from './write-limits.ts';

export interface Transactions {
  begin(call: TransactionalCall): Promise<Transaction>;
  /** Takes back what processes that died have left half applied. `begin` does so too. */
  recover(): Promise<void>;
  readonly parked: ParkedChanges;
}

export interface TransactionalCall {
  readonly access: WriteAccess;
  readonly limits: ResourceLimits;
  readonly namesAtStart: NamesAtStart;
  /** Told where this process finds the workspace as the call sees it. */
  onOpen(door: string): void;
}

export interface TransactionsOptions {
  /** Absolute, without symlinks. */
  readonly root: string;
  /** Names this process to others of the workspace, and tells which of them still live. */
  readonly processes: {readonly processId: string; isAlive(processId: string): boolean};
  /** What all transactional calls may write at once; default 16 GiB. */
  readonly totalWriteBytes?: number;
}

/** Between the process that a transaction belongs to and its own number, in the name of its folder. */
const separator = '~';
const parkedName = 'parked';

export function createTransactions(options: TransactionsOptions): Transactions {
  const {root, processes} = options;
  const place: ViewPlace = {budget: createWriteBudget(options.totalWriteBytes ?? totalWriteBytesDefault), upper: {}};
  const all = join(root, '.lumenflow', 'transactions');
  const parkedFolder = join(all, parkedName);
  const newFolder = (): string => join(all, `${processes.processId}${separator}${randomUUID()}`);
  // Of two that change the same path the second finds the first one's mark.
  const exclusively = oneAtATime();

  async function recover(): Promise<void> {
    for (const name of (await orAbsent(readdir(all))) ?? []) {
      if (name !== parkedName && !processes.isAlive(name.split(separator)[0] ?? '')) await takeOver(join(all, name));
    }
  }

  /** Whoever renames it first takes it over, so that two processes do not undo the same. */
  async function takeOver(left: string): Promise<void> {
    const folder = newFolder();
    if ((await orAbsent(rename(left, folder).then(() => true))) === undefined) return;
    const steps = await readJournal(folder);
    if (steps !== undefined) await undoSteps({root, folder, steps});
    await discard(folder);
  }

  async function discard(folder: string): Promise<void> {
    await removeTree(folder);
    await rmdir(all).catch(unlessInUse);
  }

  return {
    recover,
    parked: parkedChanges({root, all: parkedFolder, recover, newFolder, discard, exclusively}),
    async begin({access, limits, namesAtStart, onOpen}) {
      await recover();
      const folder = newFolder();
      await mkdir(folder, {recursive: true, mode: 0o700});
      const probe = join(folder, 'clock');
      await writeFile(probe, '');
      return createTransaction({
        root,
        folder,
        access,
        namesAtStart,
        onOpen,
        ...place,
        limits: {
          bytes: limits.write_bytes ?? defaultWriteLimits.bytes,
          files: limits.write_files ?? defaultWriteLimits.files,
        },
        startNs: await nextTick(probe),
        exclusively,
        discard: async () => await discard(folder),
        park: async (input) => relative(root, await parkChanges(input, {folder: newFolder(), all: parkedFolder})),
      });
    },
  };
}

/** The last one takes the empty folder away; whoever is not the last leaves it. */
function unlessInUse(error: NodeJS.ErrnoException): void {
  if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(error.code ?? '')) throw error;
}

interface ParkingPlace {
  readonly root: string;
  readonly all: string;
  recover(): Promise<void>;
  newFolder(): string;
  discard(folder: string): Promise<void>;
  exclusively<T>(work: () => Promise<T>): Promise<T>;
}

function parkedChanges({root, all, recover, newFolder, discard, exclusively}: ParkingPlace): ParkedChanges {
  return createParkedChanges({
    root,
    all,
    async apply(kept, changes) {
      await recover();
      const folder = newFolder();
      await mkdir(folder, {recursive: true, mode: 0o700});
      try {
        return await exclusively(async () => await applyParked({root, folder, changes, parked: kept}));
      } finally {
        await discard(folder);
      }
    },
  });
}
