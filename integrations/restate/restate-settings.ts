import type {EngineSettings} from '@lumenflow/schemas';

export type RestateSettings = Omit<EngineSettings, 'kind'>;

/** The virtual object of a workspace's runs, at the server. */
export function objectNameOf({namespace = 'lumenflow'}: RestateSettings): string {
  return `${namespace}.run`;
}
