// A compiled profile for programs of the sandbox's own, without a workspace: nothing in it is watched, guarded or hidden.
import type {SandboxProfile} from '@lumenflow/schemas';
import type {CompiledProfile} from './profile-input.ts';

export function uncheckedProfile(profile: SandboxProfile, workspaceRoot = '/tmp'): CompiledProfile {
  return {
    profile,
    digest: '',
    workspaceRoot,
    watched: [],
    guarded: [],
    obeyed: [],
    hiddenRules: {literals: [], patterns: []},
    skipped: [],
  };
}
