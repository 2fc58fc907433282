// The sandboxes that workspace.yaml chooses for calls, the preferred first. The caller closes them.
import {createSandbox, type Sandbox, type SandboxOptions} from '@lumenflow/sandbox';
import type {SandboxBackendName} from '@lumenflow/schemas';
import {keyForWorkers} from '../worker/key-for-workers.ts';

/** The platform's own, and the one for WebAssembly modules. */
const usualBackends: readonly (SandboxBackendName | undefined)[] = [undefined, 'wasm'];

export interface ChosenSandboxes {
  readonly sandboxes: readonly Sandbox[];
  /** Makes sandboxes of other backends in the same way. */
  create(backend: SandboxBackendName, options?: Pick<SandboxOptions, 'loadsImages'>): Sandbox;
}

export function chosenSandboxes(
  backend: SandboxBackendName | readonly SandboxBackendName[] | undefined,
  {env, workspaceRoot}: {readonly env: Readonly<Record<string, string | undefined>>; readonly workspaceRoot?: string},
): ChosenSandboxes {
  const names = backend === undefined ? usualBackends : typeof backend === 'string' ? [backend] : backend;
  const common: SandboxOptions = {
    searchPath: env['PATH'] ?? '',
    workspaceRoot,
    secret: (variable) => env[variable],
    workerKey: async () => await keyForWorkers(env),
  };
  return {
    sandboxes: names.map((name) => createSandbox({...common, ...(name && {backend: name})})),
    create: (name, options) => createSandbox({...common, ...options, backend: name}),
  };
}
