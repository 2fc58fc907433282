// What holds back the writes of a call, as far as a backend has to do with it.
import type {SandboxProfile} from '@lumenflow/schemas';
import type {SandboxProblem} from './sandbox-problem.ts';

export interface HeldPlace {
  /** Prefix of a command that starts it where the call's view stands at the workspace's own path. */
  readonly enter: readonly string[];
  /** For what is started so. */
  readonly profile: SandboxProfile;
  /** What of holding back is not held in full, for the receipt. */
  readonly degraded: readonly string[];
}

export interface WriteHolder {
  /** Before the call starts. `enter` starts a command in the namespaces that the call shares; empty for the host's own. */
  open(profile: SandboxProfile, enter: readonly string[]): Promise<HeldPlace | SandboxProblem>;
}
