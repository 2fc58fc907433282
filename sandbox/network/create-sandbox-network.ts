// Opens the networks of calls, and finds out whether this machine can.
import {existsSync} from 'node:fs';
import type {SandboxProfile} from '@lumenflow/schemas';
import type {SandboxProblem} from '../backends/sandbox-backend.ts';
import {allowlistPolicy} from './allowlist-policy.ts';
import {createCallNetwork, type CallNetwork} from './create-call-network.ts';
import {fullPolicy} from './full-policy.ts';
import {findNetworkPrograms} from './network-programs.ts';
import type {ResolveHost} from './resolve-target.ts';

/** What of a profile decides about its network. */
export interface NetworkGrant {
  readonly network_posture: SandboxProfile['network_posture'];
  readonly network_allowlist: readonly string[];
}

export interface SandboxNetwork {
  /** For one call; undefined when it is to have none. What is missing is looked for anew each time: it may be installed while we run. */
  open(grant: NetworkGrant): Promise<CallNetwork | SandboxProblem | undefined>;
}

export interface SandboxNetworkOptions {
  readonly nodePath: string;
  readonly holderPath: string;
  readonly resolveHost: ResolveHost;
}

export function createSandboxNetwork({nodePath, holderPath, resolveHost}: SandboxNetworkOptions): SandboxNetwork {
  return {
    async open({network_posture, network_allowlist}) {
      if (network_posture === 'off') return undefined;
      const programs = findNetworkPrograms();
      if ('message' in programs) return programs;
      if (!existsSync(holderPath)) {
        return {
          message: `the holder of network namespaces \`${holderPath}\` is not built`,
          help: 'run `npm run build`',
        };
      }
      const common = {resolveHost, carriesAllPorts: programs.nft !== undefined};
      const policy =
        network_posture === 'full' ? fullPolicy(common) : allowlistPolicy({...common, entries: network_allowlist});
      return 'message' in policy ? policy : createCallNetwork({policy, programs, nodePath, holderPath});
    },
  };
}
