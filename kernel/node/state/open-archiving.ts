// Archiving and destroying contents exclude each other, in all processes: a content must not reach the archive after it was destroyed.
import type {ProcessRegistry} from '@lumenflow/kernel/adapters';
import {join} from 'node:path';
import type {ArchiveStore} from '../archive/archive-store.ts';
import {removeLeftNames} from '../archiving/archive-contents.ts';
import {archiveState, type ArchivedParts} from '../archiving/archive-state.ts';
import type {OnStep} from '../archiving/move-to-archive.ts';
import {shredArchived} from '../archiving/shred-archived.ts';
import type {BlobStore} from '../blobs/blob-store.ts';
import type {DeleteUnneeded, ShredContents} from '../blobs/file-content-store.ts';
import type {FileEventLog} from '../events/file-event-log.ts';
import {WorkspaceLock} from '../lock/workspace-lock.ts';
import {throwDiskFailure} from '../log/disk-failure.ts';
import type {WorkspaceState} from './workspace-state.ts';

/** A large archive takes its time. */
const lockTimeoutMs = 600_000;

export interface ArchivingOptions {
  readonly stateFolder: string;
  readonly processes: ProcessRegistry;
  readonly store: ArchiveStore | undefined;
  readonly onArchiveStep?: OnStep | undefined;
}

type Archived = Omit<ArchivedParts, 'stateFolder' | 'store' | 'onStep' | 'snapshotThrough' | 'events'> & {
  readonly events: FileEventLog;
};

export interface OpenArchiving {
  shredIn(blobs: BlobStore): ShredContents;
  /** `recordLock`: under it, no process records a call. */
  deleteIn(blobs: BlobStore, recordLock: WorkspaceLock): DeleteUnneeded;
  stateMethods(parts: Archived): Pick<WorkspaceState, 'archive'>;
  close(): void;
}

export function openArchiving({stateFolder, processes, store, onArchiveStep: onStep}: ArchivingOptions): OpenArchiving {
  const lock = new WorkspaceLock({folder: join(stateFolder, 'archive-lock'), processes, timeoutMs: lockTimeoutMs});
  const inputs = join(stateFolder, 'evidence', 'inputs');
  const alone = async <T>(work: () => Promise<T>): Promise<T> => {
    await lock.enter();
    try {
      return await work();
    } finally {
      lock.leave();
    }
  };
  return {
    shredIn: (blobs) => (hashes) =>
      alone(async () => {
        removeLeftNames(inputs);
        const here = await blobs.shred(hashes);
        const there = await shredArchived(inputs, hashes, store).catch(throwDiskFailure);
        return merged(here, there);
      }),
    deleteIn: (blobs, recordLock) => (hashes, dropNeeded) =>
      alone(async () => {
        removeLeftNames(inputs);
        const step = async (work: () => void): Promise<void> => {
          await recordLock.enter();
          try {
            blobs.announceDeletion();
            await dropNeeded();
            work();
          } finally {
            recordLock.leave();
          }
        };
        const here = await blobs.deleteUnneeded(hashes, step);
        // A record can no longer refer to a copy in the archive.
        await step(() => undefined);
        const there = await shredArchived(inputs, hashes, store).catch(throwDiskFailure);
        return merged(here, there);
      }),
    stateMethods: ({events, ...parts}) =>
      store === undefined
        ? {}
        : {
            archive: (order) =>
              alone(() => {
                const snapshotThrough = (): number => events.snapshots?.newest()?.throughSeq ?? 0;
                const all = {...parts, events, stateFolder, store, snapshotThrough, ...(onStep && {onStep})};
                return archiveState(all, order).catch(throwDiskFailure);
              }),
          },
    close: () => lock.close(),
  };
}

function merged(
  one: ReadonlyMap<string, readonly string[]>,
  other: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, readonly string[]> {
  const both = new Map(one);
  for (const [hash, refs] of other) both.set(hash, [...(both.get(hash) ?? []), ...refs]);
  return both;
}
