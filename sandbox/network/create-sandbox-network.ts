// Opens the networks of calls under an allowlist, and finds out whether this machine can.
import {existsSync} from 'node:fs';
import type {SandboxProblem} from '../backends/sandbox-backend.ts';
import {createCallNetwork, type CallNetwork} from './create-call-network.ts';
import {findNetworkPrograms} from './network-programs.ts';
import type {ResolveHost} from './resolve-target.ts';

export interface SandboxNetwork {
  /** For one call. What is missing is looked for anew each time: it may be installed while we run. */
  open(entries: readonly string[]): Promise<CallNetwork | SandboxProblem>;
}

export interface SandboxNetworkOptions {
  readonly nodePath: string;
  readonly holderPath: string;
  readonly resolveHost: ResolveHost;
}

export function createSandboxNetwork({nodePath, holderPath, resolveHost}: SandboxNetworkOptions): SandboxNetwork {
  return {
    async open(entries) {
      const programs = findNetworkPrograms();
      if ('message' in programs) return programs;
      if (!existsSync(holderPath)) {
        return {
          message: `the holder of network namespaces \`${holderPath}\` is not built`,
          help: 'run `npm run build`',
        };
      }
      return createCallNetwork({entries, programs, nodePath, holderPath, resolveHost});
    },
  };
}
