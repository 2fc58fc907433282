// The view of the workspace that a transaction opens for its call, as far as a backend has to do with it.
import type {SandboxProfile} from '@lumenflow/schemas';
import type {SandboxProblem} from './sandbox-problem.ts';

/** How a call is started in its view. */
export interface ViewEntry {
  /** Prefix of a command that starts it where the view is mounted at the workspace's own path. */
  readonly enter: readonly string[];
  /** For what is started so. */
  readonly profile: SandboxProfile;
  /** What of keeping writes back is not enforced in full, for the receipt. */
  readonly degraded: readonly string[];
}

export interface TransactionView {
  /** Before the call starts. `enter` starts a command in the namespaces that the call shares; empty for the host's own. */
  open(profile: SandboxProfile, enter: readonly string[]): Promise<ViewEntry | SandboxProblem>;
}
