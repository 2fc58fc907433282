// A request that starts a command in a Pod, without files and without a network.
import type {StartRequest} from '@lumenflow/sandbox/backends';
import {trialProfile, uncheckedProfile} from '@lumenflow/sandbox/guest';

export function commandRequest(...argv: readonly string[]): StartRequest {
  return {
    profile: uncheckedProfile(trialProfile([])),
    program: {kind: 'command', argv},
  };
}
