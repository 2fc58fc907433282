// What turns need beyond files, from the configured models: the variables that hold keys and addresses, and the
// addresses that are known at load. It runs in an isolate of plain ECMAScript, so it reads addresses by itself.
import {defineCapabilityFactory, type CapabilityFactory} from '@lumenflow/pack-sdk';
import type {PackConfig, RemoteModel} from '../pack-config.ts';

const tool = 'agent:execute-turn';

/** A model whose address stands in a variable adds no network entry: its host is not known before the call. */
export const modelCapabilities: CapabilityFactory<PackConfig> = defineCapabilityFactory(({config}) => {
  const models = Object.values(config?.models ?? {}).filter((model) => model.provider !== 'scripted');
  const names = models.flatMap((model) => [model.api_key_env, model.base_url_env]).filter((name) => name !== undefined);
  const hosts = models.flatMap(hostOf);
  return {
    ...(names.length > 0 && {required_env: {[tool]: [...new Set(names)]}}),
    ...(hosts.length > 0 && {network_allowlist: {[tool]: [...new Set(hosts)]}}),
  };
});

/** Throws when `base_url` is no address, which the config's schema refuses before. */
function hostOf({base_url: url}: RemoteModel): string[] {
  if (url === undefined) return [];
  const [, scheme, host, port] = /^(https?):\/\/(\[[0-9a-f:.]+\]|[^\s/@?#:]+)(?::(\d+))?(?:\/|$)/i.exec(url) ?? [];
  if (scheme === undefined || host === undefined) throw new Error(`\`${url}\` is not an http or https address`);
  return [`${host.toLowerCase()}:${port ?? (scheme.toLowerCase() === 'https' ? '443' : '80')}`];
}
