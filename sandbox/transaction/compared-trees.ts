// What is compared to find out what a call has changed.
import type {Entry} from './entry.ts';

export interface ComparedTrees {
  /** The workspace. */
  readonly root: string;
  /** As the call sees it; nothing writes to it any more. */
  readonly view: string;
  /** A tree that has an entry wherever the view was written to. */
  readonly touched: string;
  /** The time of `touched` itself when the call began. */
  readonly touchedTimeNs?: bigint;
  readonly changesMax: number;
  /** Whether a directory of the view can show what lies elsewhere in the workspace, since it was renamed. */
  readonly followsRenames?: boolean;
  /** Where `touched` contained something when the call began. */
  readonly copied?: CopiedEntries;
  /** What `lookBeneath` has found; without it the view is read. */
  readonly seen?: ReadonlyMap<string, SeenEntry>;
  /** Nanoseconds of the file system's clock; a directory that was made since was not there when the call began. */
  readonly startNs?: bigint;
}

/** Inodes of an entry: in the upper layer, and as the view shows it, which is that of what it was made from. */
export interface SeenEntry {
  readonly upper: bigint;
  readonly shown: bigint;
}

/** What a view was made of: a copy of the workspace, or what the calling call wrote. */
export interface CopiedEntries {
  /** Whether the view shows nothing but the copy. */
  readonly isWhole: boolean;
  /** Whether the view had an entry when the call began. */
  has(path: string): boolean;
  /** Of a directory that was copied, at that moment: the names that the view shows, and its inode in the original. */
  directory(path: string): {readonly names: readonly string[]; readonly ino: bigint} | undefined;
  /** Whether an entry of the copy is as it was made; for a directory, apart from its contents. */
  isUntouched(path: string, now: Entry): boolean;
}
