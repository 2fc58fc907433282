// Opens the networks of calls, and checks whether this machine supports them.
import {existsSync} from 'node:fs';
import type {SandboxProfile} from '@lumenflow/schemas';
import type {NetworkAttachment} from '../backends/network-attachment.ts';
import type {SandboxBackend} from '../backends/sandbox-backend.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import {allowlistPolicy} from './allowlist-policy.ts';
import {openAllowlistProxy} from './allowlist-proxy.ts';
import type {CallNetwork} from './call-network.ts';
import {createCallNetwork} from './create-call-network.ts';
import {fullPolicy} from './full-policy.ts';
import {findNetworkPrograms} from './network-programs.ts';
import type {ResolveHost} from './resolve-target.ts';

/** The parts of a profile that determine its network. */
export interface NetworkGrant {
  readonly network_posture: SandboxProfile['network_posture'];
  readonly network_allowlist: readonly string[];
}

export interface SandboxNetwork {
  /**
   * For one call, as its backend attaches it; undefined when the call is to have none, or the backend enforces what there is
   * by itself. What is missing is looked for each time: it may be installed while the host runs.
   */
  open(
    grant: NetworkGrant,
    kind: NetworkAttachment['kind'],
    backend?: Pick<SandboxBackend, 'openHome'>,
  ): Promise<Outcome<CallNetwork | undefined>>;
}

export interface SandboxNetworkOptions {
  readonly nodePath: string;
  readonly holderPath: string;
  readonly resolveHost: ResolveHost;
}

export function createSandboxNetwork(options: SandboxNetworkOptions): SandboxNetwork {
  return {
    async open(grant, kind, backend) {
      if (grant.network_posture === 'off') return ok(undefined);
      return kind === 'proxy' ? await openProxy(grant, options) : await openNamespaceNetwork(grant, options, backend);
    },
  };
}

/** A network that is open to all needs none. */
async function openProxy(
  {network_posture, network_allowlist}: NetworkGrant,
  {resolveHost}: SandboxNetworkOptions,
): Promise<Outcome<CallNetwork | undefined>> {
  if (network_posture !== 'allowlist') return ok(undefined);
  const policy = allowlistPolicy({entries: network_allowlist, resolveHost, carriesAllPorts: true});
  return policy.ok ? ok(await openAllowlistProxy(policy.value)) : policy;
}

async function openNamespaceNetwork(
  {network_posture, network_allowlist}: NetworkGrant,
  {nodePath, holderPath, resolveHost}: SandboxNetworkOptions,
  backend: Pick<SandboxBackend, 'openHome'> | undefined,
): Promise<Outcome<CallNetwork>> {
  const programs = findNetworkPrograms();
  if (!programs.ok) return programs;
  if (!existsSync(holderPath)) {
    return failed({
      message: `the program that creates network namespaces, \`${holderPath}\`, is not built`,
      help: 'run `npm run build`',
    });
  }
  const common = {resolveHost, carriesAllPorts: programs.value.nft !== undefined};
  const policy =
    network_posture === 'full' ? ok(fullPolicy(common)) : allowlistPolicy({...common, entries: network_allowlist});
  if (!policy.ok) return policy;
  const home = (await backend?.openHome?.()) ?? ok(undefined);
  if (!home.ok) return home;
  const input = {policy: policy.value, programs: programs.value, nodePath, holderPath, home: home.value};
  const network = await createCallNetwork(input);
  if (!network.ok) await home.value?.close();
  return network;
}
