// Opens a kernel on a workspace in one of the ways that embedders have: through `initializeKernelRuntime`, through a
// host, or put together over segments so small that a short run crosses many of them.
import type {KernelRuntime} from '@lumenflow/kernel';
import {compileWorkspace, createKernel, type ProcessRegistry} from '@lumenflow/kernel/adapters';
import {
  compileRegex,
  createDigest,
  EventLoopTurns,
  createProcessRegistry,
  createRandomIds,
  createSchemaCompiler,
  createSystemClock,
  createWorkspacePaths,
  initializeKernelRuntime,
  openFileState,
  openFolderArchive,
  openSigningKeys,
  openWorkspaceLog,
  type FileStateOptions,
} from '@lumenflow/kernel/node';
import {startHost} from '@lumenflow/host';
import {openPostgresState} from '@lumenflow/integration-postgres';
import type {Durability} from '@lumenflow/schemas';
import {appendFileSync} from 'node:fs';
import {
  crashWorkspaceSpec,
  createEffectsDispatcher,
  effectsFile,
  effectsPack,
  effectsPackSource,
  type Effect,
  stateFolders,
} from './crash-workspace.ts';

/** On files. */
export const runtimeKinds = ['initialized', 'host', 'small segments'] as const;
/** postgres: in the database that the environment names. */
export type RuntimeKind = (typeof runtimeKinds)[number] | 'postgres';

export async function openRuntime(kind: RuntimeKind, root: string): Promise<KernelRuntime> {
  const onWarning = (): void => undefined;
  if (kind === 'host') {
    const {runtime, close} = await startHost({workspaceRoot: root, onWarning});
    return {...runtime, close};
  }
  if (kind === 'small segments') return await openCrashRuntime({root});
  const dispatcher = createEffectsDispatcher(effectInFile(root));
  const state =
    kind === 'postgres' ? await openPostgresState({url: process.env['LUMENFLOW_DATABASE_URL'] ?? ''}) : undefined;
  return await initializeKernelRuntime({workspaceRoot: root, packs: effectsPackSource, dispatcher, state, onWarning});
}

export interface CrashRuntimeOptions {
  readonly root: string;
  readonly durability?: Durability;
  readonly processes?: ProcessRegistry;
  /** Default: a line in the workspace's effects.log. */
  readonly effect?: Effect;
}

/** Segments, and spans between snapshots, are small, and the wait for a lock is short. */
export function smallState(root: string): Omit<FileStateOptions, 'processes'> {
  const {stateFolder, archiveFolder} = stateFolders(root);
  const archive = openFolderArchive(archiveFolder);
  return {stateFolder, archive, rotateBytes: 20_000, snapshotEvery: 40, lockTimeoutMs: 3_000};
}

/** On a `smallState`, with small spans between checkpoints. */
export async function openCrashRuntime(options: CrashRuntimeOptions): Promise<KernelRuntime> {
  const {root, durability = 'auto', effect = effectInFile(root)} = options;
  const processes = options.processes ?? createProcessRegistry();
  const clock = createSystemClock();
  const compileSchema = createSchemaCompiler().compileLater;
  const policyPorts = {compileRegex, monotonic: () => clock.monotonic(), compileSchema};
  const {workspace, problems} = compileWorkspace(
    {spec: crashWorkspaceSpec, packs: [effectsPack], locate: (pointer) => `workspace.yaml#${pointer}`},
    policyPorts,
  );
  if (problems.some(({severity}) => severity === 'error')) throw new Error(JSON.stringify(problems, undefined, 2));
  const {keyFolder} = stateFolders(root);
  const state = await openFileState({
    ...smallState(root),
    processes,
    durability,
  });
  const {events, evidence, contents, tasks} = state;
  const specGuard = {specHash: 'ab'.repeat(32), isIntact: () => true};
  const dispatcher = createEffectsDispatcher(effect);
  const ports = {clock, digest: createDigest(), ids: createRandomIds(), events, evidence, contents, tasks};
  const turns = new EventLoopTurns();
  const giveTurn = (): Promise<void> | undefined => turns.giveIfDue();
  try {
    const signed = await openWorkspaceLog(state, {keys: await openSigningKeys({keyFolder}), checkpointEvery: 60});
    return await createKernel({
      ports: {...ports, signed, specGuard, processes, paths: createWorkspacePaths(root), dispatcher, giveTurn},
      policyPorts,
      workspace,
      durability,
      async release() {
        try {
          await signed.close();
        } finally {
          await state.close();
        }
      },
    });
  } catch (error) {
    await state.close();
    throw error;
  }
}

/** One write call that appends, so that no effect is half of one. */
function effectInFile(root: string): Effect {
  return (receiptId) => appendFileSync(effectsFile(root), `${receiptId}\n`);
}
