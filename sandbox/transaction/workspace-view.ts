// The workspace as a transactional call sees it.
import type {SandboxProfile} from '@lumenflow/schemas';
import type {ViewEntry} from '../backends/transaction-view.ts';
import type {CopiedEntries} from './compared-trees.ts';
import type {WriteBudget} from './write-budget.ts';
import type {MetWriteLimit, WriteLimits} from './write-limits.ts';

export interface WorkspaceView extends ViewEntry {
  /** Where this process finds the workspace as the call sees it: a descriptor of ours. */
  readonly door: string;
  /** A tree that has an entry wherever the view was written to. Content is read through `door`. */
  readonly touched: string;
  /** The path of `touched`, where it lies on the workspace's own file system. */
  readonly upperOnDisk?: string | undefined;
  /** Whether a directory of the view can show what lies elsewhere in the workspace, since it was renamed. */
  readonly followsRenames?: boolean;
  /** Mount points inside the workspace, relative to it. */
  readonly inner?: readonly string[];
  /** Where `touched` contained something when the call began. */
  readonly copied?: CopiedEntries;
  /** The call begins. `onLimit` is called once while it runs, when it meets a limit of what it may write. If it rejects, the overlay is closed. */
  begin(onLimit: () => void): Promise<void>;
  /** Whether this process stays alive for it; true at first. */
  keepAlive(on: boolean): void;
  /** From now on, nothing can write to it, and nothing has a file in it open for writing. Rejects if something still does. */
  seal(): Promise<void>;
  /** The limit that the call reached, even for a moment; call it after `seal`. */
  metLimit(): Promise<MetWriteLimit | undefined>;
  close(): void;
}

/** State that the calls of one workspace share. */
export interface ViewStorage {
  readonly budget: WriteBudget;
  readonly upper: UpperStorage;
}

/** How to mount overlays of a workspace, known after the first one. */
export interface UpperStorage {
  way?: OverlayWay;
  /** Why their upper layers are in memory. */
  whyInMemory?: string;
}

export interface OverlayWay {
  /** Whether the host mounts it as root, instead of in a user namespace. */
  readonly isPrivileged: boolean;
  readonly inMemory: boolean;
}

export interface ViewInput extends ViewStorage {
  /** Absolute, without symlinks. */
  readonly root: string;
  /** The directory that a copy is made from; default the root. */
  readonly copies?: string;
  /** The tree against which the call's writes are measured; default the root. */
  readonly base?: string;
  /** The transaction's own folder, below the root. */
  readonly folder: string;
  readonly limits: WriteLimits;
  readonly profile: SandboxProfile;
  /** Prefix of a command that starts it in the namespaces which the call is to share; empty for ours. */
  readonly enter: readonly string[];
}

/** For the receipt. */
export function innerMountsText(inner: readonly string[]): readonly string[] {
  return inner.map(
    (path) => `writes: \`${path}\` is a mount inside the workspace, which transactional calls cannot write to`,
  );
}
