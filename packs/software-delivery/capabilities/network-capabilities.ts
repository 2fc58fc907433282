// The network and the tokens of the tools that reach remotes and the forge, and the network of the tools that call them. All
// others have neither. This code runs in a plain ECMAScript isolate, so it parses addresses itself.
import {defineCapabilityFactory, type CapabilityFactory, type InputCapabilities} from '@lumenflow/pack-sdk';
import {forgeUrl} from '../forge/forge-url.ts';
import type {PackConfig} from '../pack-config.ts';

const remoteTools = ['wu:push-ref', 'wu:push-batch', 'wu:fetch-ref'] as const;

/** Those that call `wu:sync-log`, directly or by another tool. */
export const syncingTools: readonly string[] = [
  'doctor',
  'initiative:plan',
  'mem:triage',
  'orchestrate:recover',
  'wu:block',
  'wu:claim',
  'wu:comment',
  'wu:create',
  'wu:delete',
  'wu:done',
  'wu:edit',
  'wu:escalate',
  'wu:next',
  'wu:proto',
  'wu:recover',
  'wu:release',
  'wu:repair',
  'wu:sync',
  'wu:sync-log',
  'wu:unblock',
  'wu:undo',
];

export const networkCapabilities: CapabilityFactory<PackConfig> = defineCapabilityFactory(({config}) => {
  const remotes = Object.entries(config?.remotes ?? {});
  const byRemote: InputCapabilities = {
    property: 'remote',
    values: Object.fromEntries(
      remotes.map(([name, {hosts = [], token_env: token}]) => [
        name,
        {
          ...(token !== undefined && {required_env: [token]}),
          ...(hosts.length > 0 && {network_allowlist: hosts}),
        },
      ]),
    ),
  };
  const network = networkOf(config);
  if (network.length === 0 && remotes.length === 0) return {};
  const callers = [
    'wu:sync',
    ...(config?.done === 'pull_request' ? ['wu:done'] : []),
    ...(config?.sync ? syncingTools : []),
  ];
  return {
    ...(remotes.length > 0 && {by_input: Object.fromEntries(remoteTools.map((tool) => [tool, byRemote]))}),
    ...(config?.forge && {required_env: {'wu:call-forge': [config.forge.token_env]}}),
    network_allowlist: {
      ...(network.length > 0 && Object.fromEntries(callers.map((tool) => [tool, network]))),
      ...(config?.forge && {'wu:call-forge': [addressOf(forgeUrl(config.forge))]}),
    },
  };
});

/** All addresses that calls in a work unit can need. */
export function networkOf(config: PackConfig): readonly string[] {
  const hosts = Object.values(config?.remotes ?? {}).flatMap((remote) => remote.hosts ?? []);
  return [...new Set([...hosts, ...(config?.forge ? [addressOf(forgeUrl(config.forge))] : [])])];
}

function addressOf(url: string): string {
  const [, scheme = '', host = '', port] = /^(https?):\/\/(\[[0-9a-f:.]+\]|[^/:]+)(?::(\d+))?/u.exec(url) ?? [];
  return `${host}:${port ?? (scheme === 'https' ? '443' : '80')}`;
}
