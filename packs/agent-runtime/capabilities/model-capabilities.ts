// What turns need beyond files, from the configured models: each turn gets the variables and the address of one model. This code
// runs in a plain ECMAScript isolate, so it parses addresses itself.
import {
  defineCapabilityFactory,
  type CapabilityFactory,
  type InputCapabilities,
  type NetworkEntry,
} from '@lumenflow/pack-sdk';
import type {ModelProfile, PackConfig, RemoteModel} from '../pack-config.ts';

const tool = 'agent:execute-turn';

export const modelCapabilities: CapabilityFactory<PackConfig> = defineCapabilityFactory(({config}) => {
  const remote = Object.entries(config?.models ?? {}).filter(
    (entry): entry is [string, RemoteModel] => !isScripted(entry[1]),
  );
  if (remote.length === 0) return {};
  const standard = config?.default_model;
  const byModel: InputCapabilities = {
    property: 'model_profile',
    ...(standard !== undefined && {default: standard}),
    values: Object.fromEntries(remote.map(([name, model]) => [name, needsOf(model)])),
  };
  return {by_input: {[tool]: byModel}};
});

function isScripted({provider}: ModelProfile): boolean {
  return provider === 'scripted';
}

function needsOf(model: RemoteModel): InputCapabilities['values'][string] {
  const names = [model.api_key_env, model.base_url_env].filter((name) => name !== undefined);
  return {
    ...(names.length > 0 && {required_env: [...new Set(names)]}),
    network_allowlist: [entryOf(model)],
  };
}

/** Throws if `base_url` is not an address. The config schema rejects such a value first. */
function entryOf({base_url: url, base_url_env}: RemoteModel): NetworkEntry {
  if (base_url_env !== undefined) return {url_env: base_url_env};
  const [, scheme, host, port] =
    /^(https?):\/\/(\[[0-9a-f:.]+\]|[^\s/@?#:]+)(?::(\d+))?(?:\/|$)/i.exec(url ?? '') ?? [];
  if (scheme === undefined || host === undefined) throw new Error(`\`${url ?? ''}\` is not an http or https address`);
  return `${host.toLowerCase()}:${port ?? (scheme.toLowerCase() === 'https' ? '443' : '80')}`;
}
