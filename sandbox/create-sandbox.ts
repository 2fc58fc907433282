// Chooses the backend of each call. If a requested backend is unavailable, the call is refused and never runs with weaker
// protection.
import type {SandboxBackendOptions} from '@lumenflow/schemas';
import {backendTable, usualBackend} from './backend-table.ts';
import type {ProbeReport} from './backends/probe-report.ts';
import {runsJavaScript, type SandboxBackend} from './backends/sandbox-backend.ts';
import type {BackendChoice, SandboxRequest, SandboxResult} from './backends/sandbox-call.ts';
import {unmetAnywhere} from './backends/security-tier.ts';
import type {SandboxOptions} from './sandbox-options.ts';
import type {SandboxProblem} from './sandbox-problem.ts';
import type {Span} from './backends/lasting-request.ts';
import type {WarmPoolCounters} from './backends/warm-pool-counters.ts';
import {addCounters} from './execution/add-counters.ts';
import {chooseExecutor, executorsFor} from './execution/choose-executor.ts';
import {createCallExecutor, type CallExecutor} from './execution/create-call-executor.ts';
import {refuseCall} from './execution/refuse-call.ts';
import {backendOf, executorParts} from './executor-parts.ts';
import {baseEnv} from './profile/base-env.ts';
import {reapTrialFolders} from './backends/trial-folders.ts';
import {reapSelfTests} from './self-test/create-self-test.ts';

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
