// What the text of a profile is built from.
import type {CompiledProfile} from '../profile/profile-input.ts';

export interface SbplInput {
  readonly compiled: Pick<CompiledProfile, 'profile' | 'workspaceRoot' | 'watched' | 'hiddenRules'>;
  /** The call's own, to read and write: absolute, resolved. */
  readonly temporaryFolder: string;
  /** Where on this machine the call's broker listens, for an allowlist. */
  readonly brokerPort?: number;
}
