// The input of the text of a profile.
import type {CompiledProfile} from '../profile/profile-input.ts';

export interface SbplInput {
  readonly compiled: Pick<CompiledProfile, 'profile' | 'workspaceRoot' | 'watched' | 'hiddenRules'>;
  /** The folder of the call, readable and writable: absolute, resolved. */
  readonly temporaryFolder: string;
  /** The port of the call's broker on this machine, for an allowlist. */
  readonly brokerPort?: number | undefined;
}
