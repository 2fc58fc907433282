// The composition root: the only place that wires adapters to ports.
import {
  createProcessRegistry,
  initializeKernelRuntime,
  type RecordObserver,
  type WorkspaceState,
} from '@lumenflow/kernel/node';
import {ok, type Clock, type Dispatcher, type KernelRuntime, type PackReload, type Problem} from '@lumenflow/kernel';
import {createSandbox, type NewBackend, type Sandbox} from '@lumenflow/sandbox';
import type {SandboxBackendName} from '@lumenflow/schemas';
import type {TracerProvider} from '@opentelemetry/api';
import {realpathSync} from 'node:fs';
import {homedir} from 'node:os';
import {openArchive} from './archive/open-archive.ts';
import {checkHostOptions} from './check-host-options.ts';
import {createDispatcher} from './dispatch/create-dispatcher.ts';
import {codePackId, createCodePack, withCode} from './exec/code/index.ts';
import {checkEnginePackage} from './engine/engine-package.ts';
import {withPrograms} from './exec/programs/tools/with-programs.ts';
import {createLocalPack, localPackId, withLocalHandlers, type LocalHandlers} from './local-handlers/index.ts';
import {createPackSource, type HostPackSource} from './packs/pack-source.ts';
import {withHostPack} from './packs/with-host-pack.ts';
import {createPool, type PoolCounters} from './pool/index.ts';
import {reloadOnChange} from './reload/index.ts';
import {endSpans} from './sessions/end-spans.ts';
import {cancelLeftTasks} from './sessions/cancel-left-tasks.ts';
import {openSession, type SessionRequest, type SessionResult} from './sessions/open-session.ts';
import type {OrderServers} from './services/index.ts';
import type {CallTracing} from './tracing/call-tracing.ts';
import {keyForWorkers} from './worker/key-for-workers.ts';
import {recoveryProblem} from './recovery-problem.ts';
import {userStateFolderOf} from './user-state-folder.ts';
import {version} from './version.ts';
import {openWorkspaceState} from './workspace-state/open-workspace-state.ts';
import {changedDefaults} from './workspace-checks/changed-defaults.ts';
import {trackedOverlays} from './workspace-checks/tracked-overlays.ts';

export interface HostOptions {
  /** The folder that contains workspace.yaml. */
  readonly workspaceRoot: string;
  /** Variables that tools can receive (required_env), PATH, NODE_ENV and the checkpoint key; default PATH and NODE_ENV. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The clock for records and events; default the machine's. */
  readonly clock?: Clock;
  /**
   * Where records are kept; default files in `.lumenflow/kernel`. The host closes it; after a failed start, the caller does.
   */
  readonly state?: WorkspaceState;
  /**
   * Functions of this program as tools, by name. They are governed as the tools of packs are, and run in this process. Pass `{}` to add
   * some later, with `setHandlers`.
   */
  readonly handlers?: LocalHandlers;
  /** The order in which to try a service's servers; default that of its pin. */
  readonly orderServers?: OrderServers;
  /** Number of threads kept ready for in-process handlers; default 2. */
  readonly threads?: number;
  /**
   * Overrides the sandbox backend in workspace.yaml; default the configured backend, otherwise the platform's own. An
   * unavailable backend is an error; `unsafe-host` does not sandbox at all. A function makes your own backend.
   */
  readonly backend?: SandboxBackendName | NewBackend;
  /**
   * For development: each call waits for a debugger at this port of 127.0.0.1. It runs without a sandbox (`unsafe-host`), which its
   * receipt records, and without time limit. Calls run one after another.
   */
  readonly inspectPort?: number | undefined;
  /** Whether to start sandboxes ahead of calls like earlier ones; default true. A host of one call needs none. */
  readonly warmSandboxes?: boolean;
  /** Reloads packs that are pinned as `dev` when their files change; default false. */
  readonly watch?: boolean;
  /** The tracer provider for OpenTelemetry spans of calls, such as `trace.getTracerProvider()`; default none. */
  readonly tracerProvider?: TracerProvider;
  /**
   * Absolute: data that this user's hosts keep for all workspaces; default `lumenflow` under XDG_STATE_HOME or `~/.local/state`.
   */
  readonly stateFolder?: string;
  /** Called after records of calls were written, for exporters. It must return immediately and never throw. */
  readonly onRecorded?: RecordObserver;
  onWarning?(problem: Problem): void;
  /** With `watch`: called with the result of each change. `runtime.packs.subscribe` reports only successful ones. */
  onReload?(reload: PackReload): void;
}

export interface Host {
  readonly runtime: KernelRuntime;
  readonly workspaceRoot: string;
  readonly sandbox: Sandbox;
  /** Of the threads that run in-process handlers. */
  poolCounters(): PoolCounters;
  /** Returns a failure when no session can be opened: the lane does not exist or is full, or policy denies it. */
  openSession(request: SessionRequest): Promise<SessionResult>;
  /**
   * Replaces the local handlers while the host runs. Sessions see the change at once; clients are notified. If a handler is invalid,
   * the result has the problems and nothing changes. Throws if the host was started without `handlers`.
   */
  setHandlers(handlers: LocalHandlers): Promise<PackReload>;
  /** Waits for calls in flight, flushes the log and ends threads. */
  close(): Promise<void>;
}

/**
 * Loads the packs that workspace.yaml pins: from folders, checked, built and cached under `.lumenflow/cache`. Local handlers are one
 * more pack.
 */
export function createHostPackSource({
  workspaceRoot,
  env = usualEnv(),
  handlers,
}: Pick<HostOptions, 'workspaceRoot' | 'env' | 'handlers'>): HostPackSource {
  const packs = createPackSource({workspaceRoot: realpathSync(workspaceRoot), lumenflowVersion: version, env});
  const code = createCodePack();
  const withCodePack = withHostPack(packs, {
    id: codePackId,
    make: () => ok(code),
    description: 'the tools that run code',
  });
  if (handlers === undefined) return withCodePack;
  const description = 'the handlers that the program passes to the host';
  return withHostPack(withCodePack, {id: localPackId, make: () => createLocalPack(handlers), description});
}

export interface HostDispatcher extends Dispatcher {
  readonly sandbox: Sandbox;
  /** Fulfilled once the leftovers of interrupted calls were checked. */
  readonly recovered: Promise<void>;
  poolCounters(): PoolCounters;
}

/** Runs admitted calls: on pool threads if the pin trusts the pack, otherwise in the sandbox. */
export function createHostDispatcher(options: Omit<HostOptions, 'onReload' | 'watch'>): HostDispatcher {
  const env = options.env ?? usualEnv();
  const sandbox = createSandbox({
    searchPath: env['PATH'] ?? '',
    workerKey: async () => await keyForWorkers(process.env),
    secret: (variable) => env[variable],
    workspaceRoot: options.workspaceRoot,
    ...(options.backend && {backend: options.backend}),
    ...(options.warmSandboxes !== false && {warm: {}}),
    ...(options.inspectPort !== undefined && {backend: 'unsafe-host' as const, inspectPort: options.inspectPort}),
  });
  const pool = createPool({threadsMin: options.threads ?? 2});
  const home = env['HOME'] ?? homedir();
  const {workspaceRoot, onWarning, stateFolder = userStateFolderOf(process.env, home)} = options;
  return {
    ...withPrograms(
      withCode(
        createDispatcher({
          pool: withLocalHandlers(pool, options.handlers ?? {}),
          sandbox,
          isInspected: options.inspectPort !== undefined,
          workspaceRoot,
          orderServers: options.orderServers,
          env,
          home,
          stateFolder,
          onRecovered: (note) => onWarning?.(recoveryProblem(note)),
          processes: createProcessRegistry(),
          now: Date.now,
        }),
      ),
    ),
    // Without a sandbox no call has a private view, and tools that write could not be debugged.
    agreesToDirectWrites: options.inspectPort !== undefined,
    sandbox,
    poolCounters: pool.counters,
  };
}

/** Throws KernelError LOAD_FAILED if an option is not valid, or with every problem of the workspace and its packs. */
export async function startHost(options: HostOptions): Promise<Host> {
  const workspaceRoot = checkHostOptions(options);
  const tracing = options.tracerProvider && (await loadTracing(options.tracerProvider));
  const {env = usualEnv(), state, clock, onWarning} = options;
  // A copy, which `setHandlers` changes.
  const own = {...options, workspaceRoot, env, ...(options.handlers && {handlers: {...options.handlers}})};
  const dispatcher = createHostDispatcher(own);
  const packs = createHostPackSource(own);
  const changed = changedDefaults(workspaceRoot);
  let kernel: KernelRuntime | undefined;
  try {
    kernel = await initializeKernelRuntime({
      workspaceRoot,
      packs,
      dispatcher: tracing?.dispatcher(dispatcher) ?? dispatcher,
      env,
      state,
      openState: (settings, onStateWarning, archive) =>
        openWorkspaceState(settings, {workspaceRoot, env, onWarning: onStateWarning, archive}),
      openArchive: (settings) => openArchive(settings, {workspaceRoot, env}),
      clock,
      onRecorded: observersOf(tracing, options.onRecorded),
      ...(onWarning && {onWarning}),
    });
    checkEnginePackage(kernel.workspace.spec.engine, workspaceRoot);
    await endLeftovers(kernel, dispatcher.sandbox, clock);
    const runtime = tracing?.runtime(kernel) ?? kernel;
    changed?.(kernel, onWarning);
    await warnOfTrackedOverlays(kernel, {workspaceRoot, env, onWarning});
    await dispatcher.recovered;
    const stopEnding = endSpans(runtime, dispatcher.sandbox);
    const watch = options.watch === true ? reloadOnChange(runtime, options.onReload ?? (() => undefined)) : undefined;
    await watch?.ready;
    return {
      runtime,
      workspaceRoot,
      sandbox: dispatcher.sandbox,
      poolCounters: dispatcher.poolCounters,
      openSession: (request) => openSession(runtime, request),
      setHandlers: (next) => replaceHandlers(runtime, own.handlers, next),
      async close() {
        stopEnding();
        await watch?.close();
        await runtime.close();
        packs.close();
      },
    };
  } catch (error) {
    // A kernel closes its dispatcher.
    await (kernel ?? dispatcher).close();
    packs.close();
    throw error;
  }
}

/** `current` is what pack source and dispatcher have, so it is changed in place. */
async function replaceHandlers(
  runtime: KernelRuntime,
  current: Record<string, LocalHandlers[string]> | undefined,
  next: LocalHandlers,
): Promise<PackReload> {
  if (current === undefined)
    throw new Error('the host was started without `handlers`: pass `handlers: {}` to startHost');
  const before = {...current};
  const replace = (handlers: LocalHandlers): void => {
    for (const name of Object.keys(current)) delete current[name];
    Object.assign(current, handlers);
  };
  replace(next);
  const reload = await runtime.packs.reload();
  if (reload.status === 'failed') replace(before);
  return reload;
}

/** Ends what killed processes left: their sandboxes, and the tasks of their sessions. */
async function endLeftovers(kernel: KernelRuntime, sandbox: Sandbox, clock: HostOptions['clock']): Promise<void> {
  // The options of a backend say where it keeps what it starts.
  await sandbox.reap(kernel.workspace.spec.security.sandbox?.backends);
  await cancelLeftTasks(kernel, clock?.now() ?? Date.now());
}

function observersOf(
  tracing: CallTracing | undefined,
  onRecorded: RecordObserver | undefined,
): RecordObserver | undefined {
  if (tracing === undefined) return onRecorded;
  return (recorded) => {
    tracing.recorded(recorded);
    onRecorded?.(recorded);
  };
}

/** Loads OpenTelemetry's API only if spans are requested. */
async function loadTracing(provider: TracerProvider): Promise<CallTracing> {
  const {createCallTracing} = await import('./tracing/call-tracing.ts');
  return createCallTracing(provider);
}

function usualEnv(): Readonly<Record<string, string | undefined>> {
  return {PATH: process.env['PATH'], NODE_ENV: process.env['NODE_ENV']};
}

interface OverlayCheck {
  readonly workspaceRoot: string;
  readonly env: NonNullable<HostOptions['env']>;
  readonly onWarning: HostOptions['onWarning'];
}

async function warnOfTrackedOverlays(
  {workspace: {holes}}: KernelRuntime,
  {workspaceRoot, env, onWarning}: OverlayCheck,
): Promise<void> {
  if (!onWarning) return;
  const tracked = await trackedOverlays({workspaceRoot, holes, searchPath: env['PATH'] ?? ''});
  for (const problem of tracked) onWarning(problem);
}
