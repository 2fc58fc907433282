// A worker: serves calls of hosts elsewhere by a backend of this machine.
import type {Attestation, AttestedCall, SandboxBackendName, SandboxBackendOptions} from '@lumenflow/schemas';
import {rememberProbe} from './backends/remember-probe.ts';
import type {SandboxBackend} from './backends/sandbox-backend.ts';
import {reapOwnedFolders} from './backends/leftover-folders.ts';
import type {SandboxOptions} from './sandbox-options.ts';
import {backendOf, executorParts} from './executor-parts.ts';
import {createCallExecutor} from './execution/create-call-executor.ts';
import {failed, ok, type Outcome} from './outcome.ts';
import {protocol, type WorkerReport} from './remote/worker-report.ts';
import type {SandboxProblem} from './sandbox-problem.ts';
import {createSelfTest, reapSelfTests} from './self-test/create-self-test.ts';
import {openContentStore} from './worker/content-store.ts';
import {executionKind} from './worker/execution.ts';
import {ExecutionTable} from './worker/execution-table.ts';
import {KeptTrees} from './worker/kept-trees.ts';
import {serveWorker, type ServeOptions} from './worker/serve-worker.ts';
import type {WorkerMechanism} from './worker/start-on-backend.ts';

export interface WorkerOptions
  extends ServeOptions, Pick<SandboxOptions, 'nodePath' | 'runnerPath' | 'networkHolderPath' | 'resolveHost'> {
  readonly name: string;
  /** Of LumenFlow. */
  readonly version: string;
  readonly backend: SandboxBackendName;
  readonly backendOptions?: SandboxBackendOptions | undefined;
  /** Where programs such as bwrap are searched for, in the form of PATH. */
  readonly searchPath: string;
  /** Calls at a time, with those that wait. */
  readonly slots: number;
  /** Of files of calls. */
  readonly cacheFolder: string;
  readonly cacheBytesMax: number;
  /** Network entries that calls may have at most; undefined: those of their hosts. */
  readonly networkMax?: readonly string[] | undefined;
  /** Signs what was enforced for a call, by the own key with this id. */
  sign(call: Omit<AttestedCall, 'version' | 'key'>, keyId: string): Attestation;
}

export interface Worker {
  readonly url: string;
  report(): Promise<WorkerReport>;
  /** Takes no more calls, and resolves once the running ones have ended. */
  drain(): Promise<void>;
  /** Ends running calls. */
  close(): Promise<void>;
}

const pollMs = 20_000;
/** Of the cache: for files of calls that have ended. */
const treesPart = 0.25;

export async function startWorker(options: WorkerOptions): Promise<Outcome<Worker>> {
  const {name, version, slots, now} = options;
  const parts = executorParts(options);
  const backend = backendOf(options.backend, {...parts, options: options.backendOptions ?? {}});
  const unfit = whyUnfit(backend);
  if (unfit !== undefined) return failed(unfit);
  await Promise.all([reapOwnedFolders(options.cacheFolder, executionKind), reapSelfTests(), backend.reap()]);
  const executor = createCallExecutor({...parts, backend});
  const selfTest = createSelfTest();
  const mechanism = rememberProbe(
    async (): Promise<Outcome<WorkerMechanism>> => {
      const report = await executor.probe();
      if (!report.available) return failed(report.problem);
      const {runner, network} = parts;
      return ok({backend, report, runner, network, selfTest, networkMax: options.networkMax});
    },
    (found) => found.ok,
  );
  const {cacheFolder, cacheBytesMax} = options;
  const treesBytes = cacheBytesMax * treesPart;
  const contents = await openContentStore({folder: cacheFolder, bytesMax: cacheBytesMax - treesBytes});
  const executions = new ExecutionTable({
    slots,
    now,
    contents,
    trees: new KeptTrees(treesBytes),
    parentFolder: cacheFolder,
    attest: (call, key) => options.sign({...call, worker: name, lumenflow_version: version}, key),
  });

  async function report(): Promise<WorkerReport> {
    const found = await mechanism();
    const common = {name, version, protocol, draining: executions.isDraining, slots, free: executions.free} as const;
    if (!found.ok) return {...common, enforced: null, problem: found.problem};
    const {backend: named, version: backendVersion, tier, guarantees} = found.value.report;
    return {...common, enforced: {backend: named, version: backendVersion, tier, guarantees}};
  }

  // Hosts wait for a report only as long as a network needs: what the backend enforces is tried before.
  await mechanism();
  const served = await serveWorker(options, {name, version, executions, contents, report, mechanism, pollMs});
  if (!served.ok) {
    await Promise.all([executions.close(), executor.close()]);
    await contents.close();
    return served;
  }
  return ok({
    url: served.value.url,
    report,
    drain: () => executions.drain(),
    async close() {
      await executions.close();
      await Promise.all([served.value.close(), executor.close()]);
      await contents.close();
    },
  });
}

/** Files of calls are mounted from the folder of their execution at the paths that they have on their host. */
function whyUnfit({name, capabilities}: SandboxBackend): SandboxProblem | undefined {
  const mounts = capabilities.views && capabilities.writesDirectly !== false && capabilities.viewWay !== undefined;
  if (mounts && name !== 'seatbelt') return undefined;
  return {
    message: `a worker cannot use the backend \`${name}\``,
    help: 'use one that mounts files, such as `bubblewrap`, `runc` or `gvisor`',
  };
}
