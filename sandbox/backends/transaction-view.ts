// The view of the workspace that a transaction opens for its call, as far as a backend has to do with it.
import type {SandboxProfile} from '@lumenflow/schemas';
import type {Outcome} from '../outcome.ts';

/** How a call is started in its view. */
export interface ViewEntry {
  /** Prefix of a command that starts it where the view is mounted at the workspace's own path. */
  readonly enter: readonly string[];
  /** For what is started so. */
  readonly profile: SandboxProfile;
  /** Where this process finds the workspace as the call sees it; undefined for a view that `enter` itself mounts. */
  readonly door?: string;
  /** What of keeping writes back is not enforced in full, for the receipt. */
  readonly degraded: readonly string[];
  /** Whether the sources of mounts were checked in the view itself. The workspace may lack what the view has. */
  readonly isChecked?: true;
  /**
   * For a view that `enter` itself mounts, in the process that then becomes the command. It writes to `announcedAt` once it has,
   * and waits there for a line. Called before anything of the call runs. `proceed` sends the line: it is called once the mount
   * namespace of the process is no longer needed, since the command may replace it.
   */
  entered?(pid: number, proceed: () => void): Promise<Outcome<undefined>>;
}

/**
 * `entered`: by a prefix of its command. `mounted`: likewise, or what it starts mounts the view itself. `copied`: by mounts alone, of
 * a copy of the workspace.
 */
export type ViewWay = 'entered' | 'mounted' | 'copied';

/** The descriptor at which a view is announced; 3 is the wire. */
export const announcedAt = 4;

export interface TransactionView {
  /**
   * Before the call starts. `enter` starts a command in the namespaces that the call shares; empty for the host's own. Only with
   * the way `mounted` may the view be one with `entered`; default `entered`.
   */
  open(profile: SandboxProfile, enter: readonly string[], way?: ViewWay): Promise<Outcome<ViewEntry>>;
  /** Views for later calls; undefined if a view cannot be opened before its call. */
  readonly spareViews?: SpareViews;
  /** In place of `open`: the call works in one of `spareViews`. Rejects when it cannot; the view is still to be closed then. */
  adopt(view: SpareView): Promise<void>;
  /** Every process of the call has ended, so that the view need not be sealed against them. */
  callEnded?(): void;
}

/** Opens views that wait for their call. Outlives the transaction that it was obtained from. */
export interface SpareViews {
  /** What a view is opened with and cannot be changed afterwards: it serves calls of the same key alone. */
  readonly key: string;
  /** What of the machine a view depends on, beside the files that are mounted: it serves a call when this is unchanged. */
  state(): string;
  open(profile: SandboxProfile, enter: readonly string[]): Promise<Outcome<SpareView>>;
}

/** Nothing may read it before its call has arrived: a name that was looked up once can be out of date afterwards. */
export interface SpareView extends ViewEntry {
  /** Whether our own process stays alive for it; it does at first. */
  keepAlive(on: boolean): void;
  /** Leaves nothing behind. For one that no call has adopted. */
  close(): Promise<void>;
}
