// Runs calls on any one backend.
import type {SecurityTier} from '@lumenflow/schemas';
import type {ProbeReport} from '../backends/probe-report.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import type {RunnerProgram} from '../backends/runner-program.ts';
import type {SandboxBackend} from '../backends/sandbox-backend.ts';
import type {SandboxRequest, SandboxResult} from '../backends/sandbox-call.ts';
import type {WarmPoolCounters} from '../backends/warm-pool-counters.ts';
import type {SandboxNetwork} from '../network/create-sandbox-network.ts';
import type {HostFiles} from '../profile/host-files.ts';
import {createSelfTest} from '../self-test/create-self-test.ts';
import {createLastingRunners} from '../lasting/create-lasting-runners.ts';
import type {Span} from '../backends/lasting-request.ts';
import {createWarmPool} from '../warm-pool/create-warm-pool.ts';
import type {WarmPoolLimits} from '../warm-pool/stock.ts';
import {createCallScope} from './call-scope.ts';
import {executeCall} from './execute-call.ts';
import type {ExecutorContext} from './executor-context.ts';
import {unmetRequirement} from './unmet-requirement.ts';
import {tryAllowlist} from './try-allowlist.ts';

export interface CallExecutorOptions {
  readonly backend: SandboxBackend;
  readonly runner: RunnerProgram;
  readonly files: HostFiles;
  readonly network: SandboxNetwork;
  /** Security profile of calls that do not name one; default `standard`. */
  readonly usualTier?: SecurityTier | undefined;
  /** Keeps spares if the backend can start them; without it every start is cold. */
  readonly warm?: WarmPoolLimits | undefined;
}

export interface CallExecutor {
  readonly backend: SandboxBackend;
  /** What this machine allows the backend to do, including networks, which take longest to try. */
  probe(): Promise<ProbeReport>;
  /** The requirement of the call that the backend does not meet; undefined if the backend can run the call. */
  whyNot(request: SandboxRequest): Promise<SandboxProblem | undefined>;
  /** Never rejects because of a handler or a limitation of the machine: those are outputs. */
  execute(request: SandboxRequest): Promise<SandboxResult>;
  /** Ends the sandboxes that last for spans that are over. */
  endSpans(isOver: (span: Span) => boolean): void;
  /** Undefined where no spares are kept. */
  warmPool(): WarmPoolCounters | undefined;
  /** Ends running calls and all spares. */
  close(): Promise<void>;
}

export function createCallExecutor(options: CallExecutorOptions): CallExecutor {
  const {backend, warm} = options;
  const calls = createCallScope();
  const pool = warm && backend.capabilities.spares ? createWarmPool(warm, () => performance.now()) : undefined;
  const lasting = createLastingRunners(() => performance.now());
  const context: ExecutorContext = {
    ...options,
    usualTier: options.usualTier ?? 'standard',
    selfTest: createSelfTest(),
    calls,
    pool,
    lasting,
  };
  return {
    backend,
    async probe() {
      const report = await backend.probe();
      if (!report.available || backend.capabilities.network !== 'namespace') return report;
      // Both are the same sockets in the same kind of namespace.
      const strength = (await tryAllowlist(context)).ok ? 'enforced' : 'unsupported';
      return {...report, guarantees: {...report.guarantees, network_allowlist: strength, network_full: strength}};
    },
    whyNot: async (request) => unmetRequirement(request, await backend.probe(), context),
    execute: (request) => calls.run(request.signal, (signal) => executeCall({...request, signal}, context)),
    endSpans: lasting.endSpans,
    warmPool: () => pool?.counters(),
    async close() {
      await Promise.all([calls.close(), pool?.close()]);
      await lasting.close();
      await backend.close();
    },
  };
}
