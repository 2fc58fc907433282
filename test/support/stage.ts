// A workspace on which a test starts runtimes, one after the other or side by side, as processes would.
import type {ExecutionContext, KernelRuntime, LoadedPack, TaskRun, TransitionResult} from '@lumenflow/kernel';
import {
  compileWorkspace,
  createKernel,
  type ContentStore,
  type EventLog,
  type EvidenceStore,
  type PasskeyVerifier,
  type SignedLog,
  type WorkspacePaths,
} from '@lumenflow/kernel/adapters';
import {createProcessTable, type ProcessTable} from '@lumenflow/kernel/conformance';
import {
  compileRegex,
  createDigest,
  createRandomIds,
  createSchemaCompiler,
  EventLoopTurns,
  passkeyVerifier,
} from '@lumenflow/kernel/node';
import type {Durability, TaskSpec, WorkspaceSpec} from '@lumenflow/schemas';
import {examplePack} from './example-pack.ts';
import {createFakeClock, type FakeClock} from './fake-clock.ts';
import {createScriptedDispatcher, type Script, type ScriptedDispatcher} from './scripted-dispatcher.ts';
import {openSignedState, type StateKind, type TestStateHome} from './state-home.ts';

export interface RuntimeWords {
  readonly packs?: readonly LoadedPack[];
  /** Replaces parts of a workspace that allows everything. */
  readonly workspace?: Partial<WorkspaceSpec>;
  readonly scripts?: Readonly<Record<string, Script>>;
  readonly durability?: Durability;
  /** Replaces what the kernel sees of its records, contents or events. */
  readonly evidence?: (store: EvidenceStore) => EvidenceStore;
  readonly contents?: (store: ContentStore) => ContentStore;
  readonly signed?: (log: SignedLog) => SignedLog;
  readonly events?: (log: EventLog) => EventLog;
  readonly passkeys?: PasskeyVerifier;
  /** Where paths lead; by default to themselves. */
  readonly paths?: WorkspacePaths;
  /** Whether workspace.yaml is still what was loaded. */
  readonly isIntact?: () => boolean;
}

export interface StagedRuntime extends KernelRuntime {
  readonly dispatcher: ScriptedDispatcher;
  /** The evidence log itself, without the wrappers. */
  readonly log: EvidenceStore;
  readonly processId: string;
  /** Creates a task in lane `core`, claims it and gives the context of its calls. */
  startTask(id?: string, more?: Partial<TaskSpec> & {readonly session_id?: string}): Promise<ExecutionContext>;
}

export interface Stage {
  readonly home: TestStateHome;
  readonly clock: FakeClock;
  readonly processes: ProcessTable;
  open(words?: RuntimeWords): Promise<StagedRuntime>;
  /** Closes all runtimes and removes the state. */
  close(): Promise<void>;
}

export const specHash: string = 'ab'.repeat(32);

/** The pack `files`, with `files:read` and `files:write`. */
export const filesPack: LoadedPack = examplePack({
  id: 'files',
  tools: [
    {name: 'files:read', required_scopes: [{type: 'path', pattern: '**', access: 'read'}]},
    {
      name: 'files:write',
      permission: 'write',
      required_scopes: [{type: 'path', pattern: '**', access: 'write'}],
      input_schema: {type: 'object', properties: {path: {type: 'string'}}},
    },
  ],
});

export function createStage(kind: StateKind): Stage {
  const home = kind.create();
  const clock = createFakeClock();
  const processes = createProcessTable();
  const opened: KernelRuntime[] = [];
  return {
    home,
    clock,
    processes,
    async open(words = {}) {
      const runtime = await openRuntime({home, clock, processes}, words);
      opened.push(runtime);
      return runtime;
    },
    async close() {
      await Promise.all(opened.map((runtime) => runtime.close()));
      home.remove();
    },
  };
}

async function openRuntime(
  {home, clock, processes}: Pick<Stage, 'home' | 'clock' | 'processes'>,
  words: RuntimeWords,
): Promise<StagedRuntime> {
  const {packs = [filesPack], isIntact = () => true, durability} = words;
  const registry = processes.start();
  const compileSchema = createSchemaCompiler().compileLater;
  const policyPorts = {compileRegex, monotonic: () => clock.monotonic(), compileSchema};
  const {workspace, problems} = compileWorkspace(
    {spec: workspaceSpec(packs, words.workspace), packs, locate: (pointer) => `workspace.yaml#${pointer}`},
    policyPorts,
  );
  if (problems.some(({severity}) => severity === 'error')) throw new Error(JSON.stringify(problems, undefined, 2));
  const state = await openSignedState(home, registry);
  const dispatcher = createScriptedDispatcher(words.scripts);
  const turns = new EventLoopTurns();
  const runtime = await createKernel({
    ports: {
      clock,
      dispatcher,
      digest: createDigest(),
      passkeys: words.passkeys ?? passkeyVerifier,
      ids: createRandomIds(),
      events: words.events?.(state.events) ?? state.events,
      evidence: words.evidence?.(state.evidence) ?? state.evidence,
      contents: words.contents?.(state.contents) ?? state.contents,
      signed: words.signed?.(state.signed) ?? state.signed,
      tasks: state.tasks,
      specGuard: {specHash, isIntact},
      paths: words.paths ?? {look: async (path) => await Promise.resolve({leads_to: path, is_directory: true})},
      processes: registry,
      giveTurn: () => turns.giveIfDue(),
    },
    policyPorts,
    workspace,
    ...(durability && {durability}),
    async release() {
      await dispatcher.close();
      await state.close();
    },
  });
  const {processId} = registry;
  const log = state.evidence;
  return {...runtime, dispatcher, log, processId, startTask: (id, more) => startTask(runtime, id, more)};
}

function workspaceSpec(packs: readonly LoadedPack[], more: Partial<WorkspaceSpec> = {}): WorkspaceSpec {
  const everything = [{type: 'path' as const, pattern: '**', access: 'write' as const}];
  return {
    id: 'stage',
    packs: packs.map(({pin}) => pin),
    lanes: [{id: 'core', allowed_scopes: everything}],
    security: {allowed_scopes: everything},
    policies: {default_decision: 'allow'},
    ...more,
  };
}

async function startTask(
  runtime: KernelRuntime,
  id = 'task-1',
  more: Partial<TaskSpec> & {readonly session_id?: string} = {},
): Promise<ExecutionContext> {
  const {session_id = 'session-1', ...spec} = more;
  unwrap(await runtime.createTask({id, lane_id: 'core', ...spec}));
  const run = unwrap(await runtime.claimTask({task_id: id, by: 'agent', session_id}));
  return contextOf(id, run);
}

export function contextOf(taskId: string, {run_id, session_id}: TaskRun): ExecutionContext {
  return {task_id: taskId, run_id, session_id};
}

/** The data of a transition that must have worked. */
export function unwrap<T>(result: TransitionResult<T>): T {
  if (!result.success) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.data;
}
