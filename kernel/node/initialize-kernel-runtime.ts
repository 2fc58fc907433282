// Starts a kernel on a workspace folder: reads workspace.yaml, loads its packs, opens its state.
// It reports all problems together. Nothing runs on an invalid workspace.
import {
  KernelError,
  type Clock,
  type Dispatcher,
  type KernelRuntime,
  type LoadedPack,
  type PackRequest,
  type PackSource,
  type Problem,
} from '@lumenflow/kernel';
import {
  compileWorkspace,
  createKernel,
  unmetTiers,
  type SignedLog,
  type WorkspaceCompilation,
} from '@lumenflow/kernel/adapters';
import type {ArchiveSettings, StateSettings, WorkspaceSpec} from '@lumenflow/schemas';
import {realpath} from 'node:fs/promises';
import {join} from 'node:path';
import type {ArchiveStore} from './archive/archive-store.ts';
import {compileRegex} from './compile-regex.ts';
import {observeRecords, type RecordObserver} from './evidence/observe-records.ts';
import {createProcessRegistry} from './lock/process-registry.ts';
import {passkeyVerifier} from './passkeys/passkey-verifier.ts';
import {createSchemaCompiler} from './schema/schema-compiler.ts';
import {openSigningKeys} from './signed-log/note-key.ts';
import {requireKnownSigners} from './signed-log/require-known-signers.ts';
import {createSpecGuard} from './spec/spec-guard.ts';
import {openFileState} from './state/open-file-state.ts';
import {openWorkspaceLog} from './state/open-workspace-log.ts';
import type {WorkspaceState} from './state/workspace-state.ts';
import {attestingWorkers} from './verify/attesting-workers.ts';
import {createRandomIds} from './system/random-ids.ts';
import {createDigest} from './system/sha256.ts';
import {createWorkspacePaths} from './system/workspace-paths.ts';
import {EventLoopTurns} from './system/event-loop-turns.ts';
import {createSystemClock} from './system/system-clock.ts';
import {readWorkspace, type ReadWorkspace} from './workspace/read-workspace.ts';

export interface InitializeOptions {
  /** The folder of workspace.yaml. */
  readonly workspaceRoot: string;
  readonly packs: PackSource;
  /** Runs admitted calls: the host's dispatcher, or the embedder's own. The runtime closes it. */
  readonly dispatcher: Dispatcher;
  /** The environment that contains NODE_ENV and the checkpoint key; default empty. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Where records are kept; default files in `.lumenflow/kernel`. The runtime closes it; after a failed start, the caller does. */
  readonly state?: WorkspaceState | undefined;
  /** Opens the records where workspace.yaml says; needed unless it says files. */
  openState?(
    settings: StateSettings,
    onWarning: (message: string) => void,
    archive: ArchiveStore | undefined,
  ): Promise<WorkspaceState>;
  /** Opens the archive that workspace.yaml names; without it, archived parts cannot be read. */
  openArchive?(settings: ArchiveSettings): Promise<ArchiveStore>;
  /** The clock for records and events; default the machine's. */
  readonly clock?: Clock | undefined;
  /** Called after records of calls of this process were written. Exporters use it; it must return immediately. */
  onRecorded?: RecordObserver | undefined;
  /** Called with warnings of the load, and of repairs to the state. */
  onWarning?(problem: Problem): void;
}

/** Throws KernelError LOAD_FAILED with every problem, each with its location and a fix. */
export async function initializeKernelRuntime(options: InitializeOptions): Promise<KernelRuntime> {
  const {packs, dispatcher}: Partial<InitializeOptions> = options;
  if (packs === undefined || dispatcher === undefined) throw incomplete(packs === undefined ? 'packs' : 'dispatcher');
  const env = options.env ?? {};
  const warn = options.onWarning ?? (() => undefined);
  const root = await realpath(options.workspaceRoot).catch(() => options.workspaceRoot);
  const clock = options.clock ?? createSystemClock();
  const policyPorts = {compileRegex, monotonic: () => clock.monotonic()};
  const compilerPorts = {...policyPorts, compileSchema: createSchemaCompiler().compileLater};

  const read = await readWorkspace({root, env});
  if (!read.ok) throw loadFailed(read.problem);
  const source = read.value;
  const request = packRequestOf(source);
  const compile = (loadedPacks: readonly LoadedPack[]): WorkspaceCompilation =>
    compileWorkspace({...source, packs: loadedPacks}, compilerPorts);
  const loaded = await packs.load(request);
  const {workspace, problems} = compile(loaded.packs);
  const all = [...source.problems, ...loaded.problems, ...problems, ...unmetTiers(source, dispatcher)];
  if (all.some((problem) => problem.severity === 'error')) throw loadFailed(all);
  for (const problem of all) warn(problem);

  const {state, signed, close} = await openState(options, {root, spec: source.spec, env, clock, warn});
  const {events, contents, tasks, processes} = state;
  const evidence = options.onRecorded ? observeRecords(state.evidence, options.onRecorded) : state.evidence;
  const turns = new EventLoopTurns();
  const specGuard = createSpecGuard(source.files, source.specHash);
  return await createKernel({
    ports: {
      clock,
      digest: createDigest(),
      ids: createRandomIds(),
      events,
      evidence,
      contents,
      signed,
      tasks,
      specGuard,
      processes,
      paths: createWorkspacePaths(root),
      dispatcher,
      passkeys: passkeyVerifier,
      giveTurn: () => turns.giveIfDue(),
      checkWritable: async () => await (state.checkWritable?.() ?? state.events.refresh()),
    },
    policyPorts,
    workspace,
    reloader: {
      load: (standing) => packs.load({...request, standing}),
      compile,
      release: (pack) => packs.release?.(pack),
    },
    durability: source.spec.evidence?.durability ?? 'auto',
    async release() {
      await dispatcher.close();
      await close();
    },
  });
}

interface OpeningState {
  readonly root: string;
  readonly spec: WorkspaceSpec;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  warn(problem: Problem): void;
}

interface OpenState {
  readonly state: WorkspaceState;
  readonly signed: SignedLog;
  /** Signs what is new, and closes the state. */
  close(): Promise<void>;
}

async function openState(
  {state: lent, openState: openElsewhere, openArchive}: InitializeOptions,
  {root, spec, env, clock, warn}: OpeningState,
): Promise<OpenState> {
  const {durability, checkpoint_key_env, witnesses} = spec.evidence ?? {};
  const onWarning = (message: string): void =>
    warn({code: 'STATE_MENDED', severity: 'warning', message, where: '.lumenflow/kernel'});
  const stateFolder = join(root, '.lumenflow', 'kernel');
  const openChosen = async (): Promise<WorkspaceState> => {
    const {state: chosen} = spec;
    const archive = spec.archive && (await openArchive?.(spec.archive));
    if (chosen !== undefined && chosen.kind !== 'files') {
      if (openElsewhere) return await openElsewhere(chosen, onWarning, archive);
      const message = `workspace.yaml keeps its records in ${chosen.kind}: pass \`openState\` or \`state\``;
      throw new KernelError('LOAD_FAILED', message);
    }
    const processes = createProcessRegistry();
    return await openFileState({stateFolder, processes, clock, onWarning, durability, archive});
  };
  const state = lent ?? (await openChosen());
  try {
    const signingKey = checkpoint_key_env === undefined ? undefined : env[checkpoint_key_env];
    const keys = await openSigningKeys({keyFolder: join(root, '.lumenflow', 'keys'), signingKey});
    if (isShared(spec, lent)) await requireKnownSigners(state.logs, keys);
    const workers = attestingWorkers(spec.security.sandbox?.backends);
    const signed = await openWorkspaceLog(state, {
      keys,
      onWarning,
      workers,
      witnesses: witnesses && {
        settings: witnesses,
        stateFolder,
        now: () => clock.timestamp(),
        onRejected: (message) => warn(witnessProblem(message)),
      },
    });
    const close = async (): Promise<void> => {
      try {
        await signed.close();
      } finally {
        await state.close();
      }
    };
    return {state, signed, close};
  } catch (error) {
    if (state !== lent) await state.close();
    throw error;
  }
}

function witnessProblem(message: string): Problem {
  return {
    code: 'WITNESS_REJECTED',
    severity: 'warning',
    message,
    where: 'workspace.yaml',
    help: 'run `lumenflow evidence verify`, and read docs/evidence.md#witnesses',
  };
}

/** Whether hosts with other keys can sign the same logs: of a state that an embedder lends, one cannot know. */
function isShared({state}: WorkspaceSpec, lent: WorkspaceState | undefined): boolean {
  return lent !== undefined || (state !== undefined && state.kind !== 'files');
}

/** The request to a workspace's pack source. */
export function packRequestOf({spec, extraKeys, locate}: ReadWorkspace): PackRequest {
  const configs = Object.fromEntries(extraKeys.map(({key, value}) => [key, value]));
  const security = spec.security.packs;
  return {pins: spec.packs, configs, locate, security};
}

/** For programs without type checks. */
function incomplete(option: string): KernelError {
  return new KernelError(
    'LOAD_FAILED',
    `\`${option}\` is missing: pass it, or use initializeKernelRuntime of @lumenflow/host, which needs only \`workspaceRoot\``,
  );
}

function loadFailed(problems: readonly Problem[]): KernelError {
  const errors = problems.filter((problem) => problem.severity === 'error');
  const lines = errors.map(({where, message, help}) => `${where}: ${message}${help === undefined ? '' : ` (${help})`}`);
  const count = errors.length === 1 ? 'one problem' : `${errors.length} problems`;
  return new KernelError('LOAD_FAILED', [`the workspace cannot be loaded: ${count}`, ...lines].join('\n'), {problems});
}
