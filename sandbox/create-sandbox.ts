// Chooses the backend of each call. If a requested backend is unavailable, the call is refused and never runs with weaker
// protection.
import {existsSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {SandboxBackendName, SandboxBackendOptions} from '@lumenflow/schemas';
import {backendTable, usualBackend, type BackendParts} from './backend-table.ts';
import {createUnavailableBackend} from './backends/create-unavailable-backend.ts';
import type {ProbeReport} from './backends/probe-report.ts';
import {runnerProgram, type RunnerProgram} from './backends/runner-program.ts';
import {runsJavaScript, type SandboxBackend} from './backends/sandbox-backend.ts';
import type {BackendChoice, SandboxRequest, SandboxResult} from './backends/sandbox-call.ts';
import {unmetAnywhere} from './backends/security-tier.ts';
import type {SandboxProblem} from './sandbox-problem.ts';
import type {Span} from './backends/lasting-request.ts';
import type {WarmPoolCounters} from './backends/warm-pool-counters.ts';
import type {CommandExecutor} from './commands/command-executor.ts';
import {createSpawnExecutor} from './commands/create-spawn-executor.ts';
import {addCounters} from './execution/add-counters.ts';
import {chooseExecutor, executorsFor} from './execution/choose-executor.ts';
import {createCallExecutor, type CallExecutor} from './execution/create-call-executor.ts';
import {refuseCall} from './execution/refuse-call.ts';
import {createSandboxNetwork, type SandboxNetwork} from './network/create-sandbox-network.ts';
import {resolveByHost, type ResolveHost} from './network/resolve-target.ts';
import {baseEnv} from './profile/base-env.ts';
import {createHostFiles} from './profile/host-files.ts';
import {reapTrialFolders} from './backends/trial-folders.ts';
import {reapSelfTests} from './self-test/create-self-test.ts';
import type {WarmPoolLimits} from './warm-pool/stock.ts';

/** Makes a backend that is not part of this package. `runner`: what it starts. */
export type NewBackend = (runner: RunnerProgram) => SandboxBackend;

export interface SandboxOptions {
  /** For every call, regardless of its request: a name, or your own. Default: what the call requests, else the platform's default. */
  readonly backend?: SandboxBackendName | NewBackend;
  /** Default: that of this machine. */
  readonly platform?: NodeJS.Platform;
  /** Where programs such as bwrap are searched for, in the form of PATH. */
  readonly searchPath: string;
  /** Default: the Node that runs the host. */
  readonly nodePath?: string;
  /** Default: the runner of this package, built. */
  readonly runnerPath?: string;
  /** Default: the holder of network namespaces of this package, built. */
  readonly networkHolderPath?: string;
  /** Default: the program of threads for WebAssembly modules of this package, built. */
  readonly wasmThreadPath?: string;
  /** Default: the agent in virtual machines of this package, built. */
  readonly vmAgentPath?: string;
  /** Every call waits for a debugger at this port of 127.0.0.1. For `backend: 'unsafe-host'` only. */
  readonly inspectPort?: number | undefined;
  /** How listed host names are looked up; default: as this machine does. */
  readonly resolveHost?: ResolveHost;
  /** Default: plain child processes. */
  readonly executor?: CommandExecutor;
  /** Whether a container engine is given the runner image that it lacks; default true. Without it, its backend is unavailable. */
  readonly loadsImages?: boolean;
  /** Keeps sandboxes started for later calls, if the backend can; default: every start is cold. */
  readonly warm?: WarmPoolLimits;
}

export interface Sandbox {
  /** The backend of calls that ask for none. */
  readonly name: string;
  /** What this machine allows that backend to do, as tried. */
  probe(options?: SandboxBackendOptions): Promise<ProbeReport>;
  /** Whether a backend that calls with these settings can get keeps writes in a private view; not whether it works here. */
  hasViews(choice: BackendChoice): boolean;
  /** Why no backend of this choice reaches its tier on any machine; undefined if one may, or if it names no tier. */
  unmetTier(choice: BackendChoice): SandboxProblem | undefined;
  /** Never rejects for what a handler does, nor for what the machine lacks: those are outputs. */
  execute(request: SandboxRequest): Promise<SandboxResult>;
  /** Ends the sandboxes that last for spans that are over. */
  endSpans(isOver: (span: Span) => boolean): void;
  /** Undefined where no spares are kept. */
  warmPool(): WarmPoolCounters | undefined;
  /** Removes what hosts that were killed have left on this machine. To be called when a host starts; never rejects. */
  reap(options?: SandboxBackendOptions): Promise<void>;
  /** Ends running calls and all spares. */
  close(): Promise<void>;
  /** For `ProfileInput.runtimePaths`: what the runner itself needs. Add the pack's bundle. */
  readonly runtimePaths: readonly string[];
  /** For `ProfileInput.env`: what every sandbox starts with. */
  readonly baseEnv: Readonly<Record<string, string>>;
}

export function createSandbox(options: SandboxOptions): Sandbox {
  const {backend: chosen, warm} = options;
  const parts = executorParts(options);
  const own = typeof chosen === 'function' ? chosen(parts.runner) : undefined;
  const named = typeof chosen === 'function' ? own?.name : chosen;
  const usual = named ?? usualBackend(options.platform ?? process.platform);
  const executors = new Map<string, CallExecutor>();
  let isClosed = false;

  function executorOf(name: string, options: SandboxBackendOptions = {}): CallExecutor {
    const key = JSON.stringify([name, options]);
    const known = executors.get(key);
    if (known !== undefined) return known;
    // A workspace that names it must request the tier too.
    const usualTier = named === 'unsafe-host' ? 'dev' : 'standard';
    const isOwn = own?.name === name && parts.problem === undefined;
    const backend = isOwn ? own : backendOf(name, {...parts, options});
    const executor = createCallExecutor({...parts, backend, usualTier, warm});
    executors.set(key, executor);
    if (isClosed) void executor.close();
    return executor;
  }

  function candidates({backend, securityTier, backendOptions}: BackendChoice): readonly CallExecutor[] {
    // Only the tier that requires nothing is reached by nothing, and only where no backend was named.
    const asked = named ?? backend ?? [securityTier === 'dev' ? 'unsafe-host' : usual, 'wasm'];
    const names = typeof asked === 'string' ? [asked] : asked;
    return names.map((name) => executorOf(name, backendOptions));
  }

  /** What applies to a workspace applies to its JavaScript: most tools are that. */
  function forJavaScript(choice: BackendChoice): readonly SandboxBackend[] {
    return candidates(choice).flatMap(({backend}) => (runsJavaScript(backend) ? backend : []));
  }

  return {
    name: usual,
    probe: (options) => executorOf(usual, options).probe(),
    hasViews: (choice) => forJavaScript(choice).some(({capabilities}) => capabilities.views),
    unmetTier(choice) {
      const {securityTier} = choice;
      return securityTier && unmetAnywhere(securityTier, forJavaScript(choice));
    },
    async execute(request) {
      const executors = executorsFor(request, candidates(request));
      if (!executors.ok) return refuseCall(usual, request, executors.problem);
      return await (await chooseExecutor(request, executors.value)).execute(request);
    },
    endSpans: (isOver) => executors.forEach((executor) => executor.endSpans(isOver)),
    warmPool: () => warm && addCounters([...executors.values()].map((executor) => executor.warmPool())),
    async reap(options) {
      const names = new Set([usual, ...Object.keys(backendTable)]);
      await Promise.all([
        reapSelfTests(),
        reapTrialFolders(),
        ...[...names].map((name) => executorOf(name, options).backend.reap()),
      ]);
    },
    async close() {
      isClosed = true;
      await Promise.all([...executors.values()].map((executor) => executor.close()));
    },
    runtimePaths: parts.runner.runtimePaths,
    baseEnv: baseEnv({nodePath: parts.runner.nodePath}),
  };
}

interface ExecutorParts extends Omit<BackendParts, 'options'> {
  readonly network: SandboxNetwork;
  /** Why nothing can be run. */
  readonly problem: SandboxProblem | undefined;
}

function executorParts(options: SandboxOptions): ExecutorParts {
  const runnerPath = options.runnerPath ?? fileURLToPath(import.meta.resolve('@lumenflow/sandbox/runner'));
  const isBuilt = existsSync(runnerPath);
  const nodePath = options.nodePath ?? process.execPath;
  const runner = isBuilt ? runnerProgram({nodePath, runnerPath, inspectPort: options.inspectPort}) : noRunner;
  return {
    runner,
    problem: isBuilt ? undefined : notBuilt(runnerPath),
    searchPath: options.searchPath,
    wasmThreadPath: options.wasmThreadPath ?? join(dirname(runnerPath), 'wasm-thread.cjs'),
    loadsImages: options.loadsImages ?? true,
    vmAgentPath: options.vmAgentPath ?? join(dirname(runnerPath), 'vm-agent.cjs'),
    files: createHostFiles(),
    executor: options.executor ?? createSpawnExecutor(),
    network: createSandboxNetwork({
      nodePath: runner.nodePath,
      holderPath: options.networkHolderPath ?? fileURLToPath(import.meta.resolve('@lumenflow/sandbox/network-holder')),
      resolveHost: options.resolveHost ?? resolveByHost,
    }),
  };
}

function notBuilt(runnerPath: string): SandboxProblem {
  return {message: `the sandbox's runner \`${runnerPath}\` is not built`, help: 'run `npm run build`'};
}

const noRunner: RunnerProgram = {nodePath: '', runnerPath: '', runtimePaths: [], argv: () => []};

/** A program that embeds this package can pass names that the types do not allow. */
function backendOf(name: string, parts: ExecutorParts & BackendParts): SandboxBackend {
  if (parts.problem !== undefined) return createUnavailableBackend(name, parts.problem);
  return isKnown(name) ? backendTable[name](parts) : createUnavailableBackend(name, notABackend(name));
}

function isKnown(name: string): name is SandboxBackendName {
  return Object.hasOwn(backendTable, name);
}

function notABackend(name: string): SandboxProblem {
  return {
    message: `\`${name}\` is not a backend`,
    help: `use one of ${Object.keys(backendTable).join(', ')}`,
  };
}
