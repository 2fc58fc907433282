// Where the server is, and the names of this workspace's runs there.
import type {EngineSettings} from '@lumenflow/schemas';
import {readFileSync} from 'node:fs';

export type TemporalSettings = Omit<EngineSettings, 'kind'>;

export interface ServerAddress {
  readonly address: string;
  readonly tls?: {
    readonly serverRootCACertificate?: Buffer;
    readonly clientCertPair?: {readonly crt: Buffer; readonly key: Buffer};
  };
  readonly apiKey?: string;
}

export function addressOf({address = '127.0.0.1:7233'}: TemporalSettings): string {
  return address;
}

/** Throws if the API key or a file of `tls` is absent. */
export function serverAddressOf(settings: TemporalSettings, env: NodeJS.ProcessEnv): ServerAddress {
  const {api_key_env, tls} = settings;
  const apiKey = api_key_env === undefined ? undefined : env[api_key_env];
  if (api_key_env !== undefined && !apiKey)
    throw new Error(`\`engine.api_key_env\` names \`${api_key_env}\`, which is not set: put the API key there`);
  const usesTls = tls !== undefined || apiKey !== undefined;
  return {
    address: addressOf(settings),
    ...(usesTls && {tls: certificatesOf(tls ?? {})}),
    ...(apiKey !== undefined && {apiKey}),
  };
}

function certificatesOf({ca, cert, key}: NonNullable<TemporalSettings['tls']>): NonNullable<ServerAddress['tls']> {
  return {
    ...(ca !== undefined && {serverRootCACertificate: readFileSync(ca)}),
    ...(cert !== undefined && key !== undefined && {clientCertPair: {crt: readFileSync(cert), key: readFileSync(key)}}),
  };
}

/** The namespace of the server, which an operator creates. */
export function serverNamespaceOf({server_namespace = 'default'}: TemporalSettings): string {
  return server_namespace;
}

/** From which all workers of the workspace take its runs. */
export function taskQueueOf({namespace = 'lumenflow'}: TemporalSettings): string {
  return `${namespace}.run`;
}

/** The same for each start, so that the server has one execution of a run at a time. */
export function workflowIdOf(settings: TemporalSettings, run_id: string): string {
  return `${taskQueueOf(settings)}/${run_id}`;
}
