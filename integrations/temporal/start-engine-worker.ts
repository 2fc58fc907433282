// A worker: it takes attempts at runs from the task queue of the workspace. More of them share the queue.
import type {EngineWork, EngineWorker} from '@lumenflow/kernel/adapters';
import {
  bundleWorkflowCode,
  DefaultLogger,
  NativeConnection,
  Runtime,
  Worker,
  type WorkflowBundleWithSourceMap,
} from '@temporalio/worker';
import {existsSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {advanceActivity} from './advance-activity.ts';
import {
  addressOf,
  serverAddressOf,
  serverNamespaceOf,
  taskQueueOf,
  type TemporalSettings,
} from './temporal-settings.ts';

export interface TemporalWorkerOptions {
  /** Runs that it advances at a time; default 16. */
  readonly slots?: number | undefined;
}

export interface TemporalWorker extends EngineWorker {
  /** Where it takes runs from. */
  readonly url: string;
  /** Rejects if the worker ends before it is closed. */
  readonly failed: Promise<never>;
}

/** Longer than any attempt, so that a closed worker finishes what it has. */
const finishMs = 3 * 3_600_000;
/** The longest time between the cancellation of a run and its attempt's signal. */
const throttleMs = 1_000;

/** Rejects if the server is not reachable. */
export async function startEngineWorker(
  settings: TemporalSettings,
  work: EngineWork,
  {slots = 16}: TemporalWorkerOptions = {},
): Promise<TemporalWorker> {
  installRuntime();
  const [address, namespace, taskQueue] = [addressOf(settings), serverNamespaceOf(settings), taskQueueOf(settings)];
  const workflowBundle = await bundle();
  const connection = await connect(settings);
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue,
    workflowBundle,
    activities: {advance: advanceActivity(work)},
    maxConcurrentActivityTaskExecutions: slots,
    maxHeartbeatThrottleInterval: throttleMs,
    shutdownGraceTime: finishMs,
  }).catch(async (error: unknown) => {
    await connection.close();
    throw error;
  });
  const running = worker.run();
  const failed = new Promise<never>((_resolve, reject) => void running.catch(reject));
  // Reported by whoever races it, or by close.
  failed.catch(() => undefined);
  return {
    url: `${address}, queue ${taskQueue} of namespace ${namespace}`,
    failed,
    async close() {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      try {
        await running;
      } finally {
        await connection.close();
      }
    },
  };
}

/** Of the process: signals are the host's, and failures of attempts are in the state of the runs. */
function installRuntime(): void {
  try {
    Runtime.install({
      logger: new DefaultLogger('ERROR'),
      shutdownSignals: [],
      telemetryOptions: {logging: {filter: {core: 'ERROR', other: 'ERROR'}}},
    });
  } catch (error) {
    // It has one already.
    if ((error as Error).name !== 'IllegalStateError') throw error;
  }
}

async function connect(settings: TemporalSettings): Promise<NativeConnection> {
  const server = serverAddressOf(settings, process.env);
  try {
    return await NativeConnection.connect({...server});
  } catch (error) {
    throw new Error(`the Temporal server at ${server.address} does not reply: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** It is the same for all workers of a process. */
let bundled: Promise<WorkflowBundleWithSourceMap> | undefined;

function bundle(): Promise<WorkflowBundleWithSourceMap> {
  const built = fileURLToPath(new URL('./run-workflow.js', import.meta.url));
  const workflowsPath = existsSync(built) ? built : fileURLToPath(new URL('./run-workflow.ts', import.meta.url));
  return (bundled ??= bundleWorkflowCode({workflowsPath, logger: new DefaultLogger('ERROR')}));
}
