// The trees that are compared to find the changes of a call.
import type {Entry} from './entry.ts';

export interface ComparedTrees {
  /** The workspace. */
  readonly root: string;
  /** The workspace as the call sees it; nothing writes to it any more. */
  readonly view: string;
  /** A tree that has an entry wherever the view was written to. */
  readonly touched: string;
  /** The time of `touched` itself when the call began. */
  readonly touchedTimeNs?: bigint | undefined;
  readonly changesMax: number;
  /** Whether a directory of the view can show what lies elsewhere in the workspace, since it was renamed. */
  readonly followsRenames?: boolean | undefined;
  /** Where `touched` contained something when the call began. */
  readonly copied?: CopiedEntries | undefined;
  /** The result of `lookBeneath`; without it the view is read. */
  readonly seen?: ReadonlyMap<string, SeenEntry> | undefined;
  /** Nanoseconds of the file system's clock. A directory created later did not exist when the call began. */
  readonly startNs?: bigint;
}

/** Inodes of an entry: in the upper layer, and in the view, which shows the inode of the original. */
export interface SeenEntry {
  readonly upper: bigint;
  readonly shown: bigint;
}

/** The original of a view: a copy of the workspace, or what the caller wrote. */
export interface CopiedEntries {
  /** Whether the view shows only the copy. */
  readonly isWhole: boolean;
  /** Whether the view had an entry when the call began. */
  has(path: string): boolean;
  /** For a directory that was copied, at that moment: the names that the view shows, and the inode of the original. */
  directory(path: string): {readonly names: readonly string[]; readonly ino: bigint} | undefined;
  /** Whether an entry of the copy is unchanged; for a directory, apart from its contents. */
  isUntouched(path: string, now: Entry): boolean;
}
