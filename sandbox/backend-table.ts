// The backends of this package: a new one is a folder, a name and perhaps options in workspace.schema.json, and a row here.
import {tmpdir} from 'node:os';
import type {SandboxBackendName, SandboxBackendOptions} from '@lumenflow/schemas';
import type {RunnerProgram} from './backends/runner-program.ts';
import type {SandboxBackend} from './backends/sandbox-backend.ts';
import {createIntegratedBackend} from './backends/create-integrated-backend.ts';
import {createBubblewrapBackend} from './bubblewrap/create-bubblewrap-backend.ts';
import type {CommandExecutor} from './commands/command-executor.ts';
import type {Outcome} from './outcome.ts';
import type {HostFiles} from './profile/host-files.ts';
import {createContainerdBackend} from './containerd/create-containerd-backend.ts';
import {createOciBackend} from './oci/create-oci-backend.ts';
import {createEngineBackend} from './engine/create-engine-backend.ts';
import {createSeatbeltBackend} from './seatbelt/create-seatbelt-backend.ts';
import {createUnsafeHostBackend} from './unsafe-host/create-unsafe-host-backend.ts';
import {firecracker} from './firecracker/firecracker.ts';
import {createVmBackend} from './vm/create-vm-backend.ts';
import {qemu} from './vm/qemu.ts';
import {createRemoteBackend} from './remote/create-remote-backend.ts';
import type {SigningKey} from './signatures/signing-key.ts';
import {createProxmoxLxcBackend} from './proxmox-lxc/create-proxmox-lxc-backend.ts';
import {createWasmBackend} from './wasm/create-wasm-backend.ts';

export interface BackendParts {
  readonly runner: RunnerProgram;
  readonly executor: CommandExecutor;
  readonly files: HostFiles;
  /** Where programs are looked for, written as PATH is. */
  readonly searchPath: string;
  /** The program of threads for WebAssembly modules, built. */
  readonly wasmThreadPath: string;
  /** The agent in virtual machines, built. */
  readonly vmAgentPath: string;
  /** The agent in containers of clusters, built. */
  readonly containerAgentPath: string;
  /** See `SandboxOptions`. */
  readonly workspaceRoot: string | undefined;
  /** See `SandboxOptions`. */
  readonly loadsImages: boolean;
  /** See `SandboxOptions`. */
  readonly workerKey: () => Promise<Outcome<SigningKey>>;
  /** See `SandboxOptions`. */
  secret(variable: string): string | undefined;
  /** `security.sandbox.backends`: each backend reads its own. */
  readonly options: SandboxBackendOptions;
}

/** Nowhere else: a program that came first on a search path would be the sandbox. */
const sandboxExec = '/usr/bin/sandbox-exec';

export const backendTable: Readonly<Record<SandboxBackendName, (parts: BackendParts) => SandboxBackend>> = {
  bubblewrap: (parts) => createBubblewrapBackend({...parts, program: parts.options.bubblewrap?.program}),
  seatbelt: (parts) => createSeatbeltBackend({...parts, temporaryRoot: tmpdir(), programPath: sandboxExec}),
  runc: (parts) => createOciBackend('runc', {...parts, program: parts.options.runc?.program}),
  crun: (parts) => createOciBackend('crun', {...parts, program: parts.options.crun?.program}),
  gvisor: (parts) => createOciBackend('gvisor', {...parts, program: parts.options.gvisor?.program}),
  docker: (parts) => createEngineBackend('docker', {...parts, ...parts.options.docker}),
  podman: (parts) => createEngineBackend('podman', {...parts, ...parts.options.podman}),
  containerd: (parts) =>
    createContainerdBackend('containerd', {...parts, runtime: 'runc', ...parts.options.containerd}),
  kata: (parts) => createContainerdBackend('kata', {...parts, ...parts.options.kata, runtime: 'kata'}),
  vm: (parts) => createVmBackend(qemu, {...parts, agentPath: parts.vmAgentPath, options: parts.options.vm}),
  firecracker: (parts) =>
    createVmBackend(firecracker, {...parts, agentPath: parts.vmAgentPath, options: parts.options.firecracker}),
  remote: (parts) => createRemoteBackend({...parts, workers: parts.options.remote?.workers ?? []}),
  'proxmox-lxc': (parts) =>
    createProxmoxLxcBackend({
      ...parts,
      options: parts.options['proxmox-lxc'],
      connect: (worker) => createRemoteBackend({...parts, workers: [worker]}),
    }),
  kubernetes: (parts) =>
    createIntegratedBackend({
      name: 'kubernetes',
      packageName: '@lumenflow/integration-kubernetes',
      capabilities: {
        spares: true,
        views: true,
        writesDirectly: false,
        network: undefined,
        selfTest: false,
        sharesUsers: true,
        killsAtOnce: false,
        lacks: ['network_allowlist', 'network_full'],
      },
      parts: {runner: parts.runner, agentPath: parts.containerAgentPath},
      options: parts.options.kubernetes,
      packageRoot: parts.workspaceRoot,
    }),
  wasm: createWasmBackend,
  'unsafe-host': createUnsafeHostBackend,
};

/** All but `unsafe-host`, which is not a sandbox. */
export const sandboxBackends: readonly SandboxBackendName[] = Object.keys(backendTable).filter(
  (name): name is SandboxBackendName => name !== 'unsafe-host',
);

/** `unsafe-host` is never chosen for anyone. */
export function usualBackend(platform: NodeJS.Platform): SandboxBackendName {
  return platform === 'darwin' ? 'seatbelt' : 'bubblewrap';
}
