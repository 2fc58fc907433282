// The workers whose attestations count: those that workspace.yaml names, and the one in the template of containers.
import type {RemoteOptions, SandboxBackendOptions} from '@lumenflow/schemas';

/** Backends that run calls on workers. */
export const attestedBackends: ReadonlySet<string> = new Set(['remote', 'proxmox-lxc']);

export function attestingWorkers(backends: SandboxBackendOptions | undefined): RemoteOptions {
  const {remote = {workers: []}, 'proxmox-lxc': proxmox} = backends ?? {};
  if (proxmox === undefined) return remote;
  const {url, worker_key: key} = proxmox;
  return {...remote, workers: [...remote.workers, {name: 'proxmox-lxc', url, key}]};
}
