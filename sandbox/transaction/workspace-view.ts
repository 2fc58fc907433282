// What a call sees as the workspace while its writes are held back.
import type {SandboxProfile} from '@lumenflow/schemas';
import type {HeldPlace} from '../backends/write-holder.ts';
import type {CopiedEntries} from './find-changes.ts';

export interface WorkspaceView extends HeldPlace {
  /** Where this process finds the workspace as the call sees it: a descriptor of ours. */
  readonly door: string;
  /** A tree that has an entry wherever the view was written to. */
  readonly touched: string;
  /** Where `touched` holds more than was written to. */
  readonly copied?: CopiedEntries;
  /** From now on nothing can write to it, and nothing has a file in it open for that. Rejects when something holds on. */
  seal(): Promise<void>;
  /** Whether there is no room left for bytes or for files. */
  isFull(): Promise<boolean>;
  close(): void;
}

export interface ViewLimits {
  readonly bytes: number;
  readonly files: number;
}

export interface ViewInput {
  /** Absolute, without symlinks. */
  readonly root: string;
  /** The transaction's own folder, below the root. */
  readonly folder: string;
  readonly limits: ViewLimits;
  readonly profile: SandboxProfile;
  /** Prefix of a command that starts it in the namespaces which the call is to share; empty for ours. */
  readonly enter: readonly string[];
}
