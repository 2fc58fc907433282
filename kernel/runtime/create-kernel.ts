// Puts a kernel together from its ports and a compiled workspace, and closes what a crash left open.
import type {Durability} from '@lumenflow/schemas';
import {createCallerScopes} from '../context/caller-scopes.ts';
import {reconcileParked} from '../transitions/reconcile-parked.ts';
import {reconcileOrphans} from '../calls/reconcile-orphans.ts';
import type {Kernel} from '../context/kernel.ts';
import {createKernelRuntime, type KernelRuntime} from './kernel-runtime.ts';
import {createKernelState} from '../context/kernel-state.ts';
import type {PolicyCompilerPorts} from '../policy/index.ts';
import {createPolicyDigestCache} from '../policy/policy-digest-cache.ts';
import type {KernelPorts} from '../ports.ts';
import {createGrantCache} from '../context/grant-cache.ts';
import type {PackReloader} from '../reload/reload-packs.ts';
import {releaseAbandoned, releaseOwn} from '../transitions/release-abandoned.ts';
import {withdrawLeftBehind} from '../transitions/withdraw-approvals.ts';
import {createCompiledTasks} from '../tasks/compiled-tasks.ts';
import type {CompiledWorkspace} from '../workspace/compiled-workspace.ts';

export interface KernelOptions {
  readonly ports: KernelPorts;
  readonly policyPorts: PolicyCompilerPorts;
  readonly workspace: CompiledWorkspace;
  readonly durability?: Durability;
  /** How packs are loaded anew; without it they stay as they are. */
  readonly reloader?: PackReloader | undefined;
  /** Releases what the ports hold, after the last call has ended. */
  release(): Promise<void>;
}

export async function createKernel(options: KernelOptions): Promise<KernelRuntime> {
  const {ports, policyPorts, workspace} = options;
  const state = createKernelState();
  await ports.events.onEvent((event) => {
    state.apply(event);
    if (event.type === 'evidence_redacted') ports.contents.forget(event.hashes);
  });
  const kernel: Kernel = {
    ports,
    policyPorts,
    workspace,
    state,
    tasks: createCompiledTasks(ports.tasks, policyPorts),
    grants: createGrantCache(workspace.holes),
    callerScopes: createCallerScopes(),
    policyDigestCache: createPolicyDigestCache(workspace.allowLoosening, (text) => ports.digest.sha256(text)),
    durability: options.durability ?? 'auto',
  };
  await reconcileOrphans(kernel);
  await reconcileParked(kernel);
  await releaseAbandoned(kernel);
  await withdrawLeftBehind(kernel);
  return createKernelRuntime(kernel, {
    reloader: options.reloader,
    async release() {
      try {
        await releaseOwn(kernel);
      } finally {
        await options.release();
      }
    },
  });
}
