// Puts a kernel together from its ports and a compiled workspace, and closes what a crash left open.
import type {Durability} from '@lumenflow/schemas';
import {createCallerScopes} from '../context/caller-scopes.ts';
import {reconcileParked} from '../transitions/reconcile-parked.ts';
import {reconcileOrphans} from '../calls/reconcile-orphans.ts';
import type {Kernel} from '../context/kernel.ts';
import {createKernelRuntime, type KernelRuntime} from './kernel-runtime.ts';
import {foldEvents} from './fold-events.ts';
import type {PolicyCompilerPorts} from '../policy/index.ts';
import {createPolicyDigestCache} from '../policy/policy-digest-cache.ts';
import type {KernelPorts} from '../ports.ts';
import {createGrantCache} from '../context/grant-cache.ts';
import {createLifetimes} from '../context/lifetimes.ts';
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
  /** Loads packs again; without it they stay as they are. */
  readonly reloader?: PackReloader | undefined;
  /** Releases the resources of the ports, after the last call has ended. */
  release(): Promise<void>;
}

export async function createKernel(options: KernelOptions): Promise<KernelRuntime> {
  const {ports, workspace} = options;
  const policyPorts = {...options.policyPorts, groups: workspace.spec.approvals?.groups};
  const state = await foldEvents(ports);
  const kernel: Kernel = {
    ports,
    policyPorts,
    workspace,
    state,
    tasks: createCompiledTasks(ports.tasks, policyPorts),
    grants: createGrantCache(workspace.holes),
    callerScopes: createCallerScopes(),
    lifetimes: createLifetimes(ports.clock),
    policyDigestCache: createPolicyDigestCache(workspace.allowLoosening, (text) => ports.digest.sha256(text)),
    durability: options.durability ?? 'auto',
  };
  await closeLeftBehind(kernel);
  const stopClosing = ports.processes.onEnded?.(async () => {
    await ports.events.refresh();
    await closeLeftBehind(kernel);
  });
  await keepSnapshot(kernel);
  return createKernelRuntime(kernel, {
    reloader: options.reloader,
    async release() {
      stopClosing?.();
      try {
        await releaseOwn(kernel);
        await keepSnapshot(kernel);
      } finally {
        await options.release();
      }
    },
  });
}

/** What ended processes left: their calls, changes, tasks and requests. */
async function closeLeftBehind(kernel: Kernel): Promise<void> {
  await reconcileOrphans(kernel);
  await reconcileParked(kernel);
  await releaseAbandoned(kernel);
  await withdrawLeftBehind(kernel);
}

/** So that the next start need not read all events. */
async function keepSnapshot({ports, state}: Kernel): Promise<void> {
  const {snapshots} = ports.events;
  if (snapshots?.isDue() === true) await snapshots.keep(state.text(), ports.clock.timestamp());
}
