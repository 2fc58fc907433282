// A backend that runs each call on a worker, which is another machine with LumenFlow.
import {tmpdir} from 'node:os';
import type {RemoteWorker} from '@lumenflow/schemas';
import {reapOwnedFolders} from '../backends/leftover-folders.ts';
import type {RunnerProgram} from '../backends/runner-program.ts';
import type {SandboxBackend, StartRequest, StartedRunner} from '../backends/sandbox-backend.ts';
import {limitConcurrency} from '../network/limit-concurrency.ts';
import {failed, type Outcome} from '../outcome.ts';
import {arrivalsKind} from '../packed-files/open-arrivals.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import type {SigningKey} from '../signatures/signing-key.ts';
import {createDigestCache} from './digest-cache.ts';
import {noWorkers} from './connect-workers.ts';
import {createRemoteWorkers} from './remote-workers.ts';
import {startOnWorker} from './start-on-worker.ts';

export interface RemoteBackendOptions {
  readonly runner: RunnerProgram;
  readonly workers: readonly RemoteWorker[];
  /** See `SandboxOptions`. */
  readonly workspaceRoot?: string | undefined;
  /** A worker that is out of contact for so long has lost its calls; default 30 s. */
  readonly lostMs?: number;
  /** See `SandboxOptions`. */
  workerKey(): Promise<Outcome<SigningKey>>;
}

/** Longer than a restart of the network, and shorter than a worker waits for its host. */
const lostMsDefault = 30_000;
const startsMax = 16;

export function createRemoteBackend({
  workers,
  workspaceRoot,
  runner,
  workerKey,
  lostMs = lostMsDefault,
}: RemoteBackendOptions): SandboxBackend {
  const name = 'remote';
  const digests = createDigestCache();
  // Packing and uploading files takes this process's time: a start that waits is not yet accepted anywhere.
  const inTurn = limitConcurrency(startsMax);
  const {connected, probe} = createRemoteWorkers({name, workers, workspaceRoot, workerKey});
  async function start(request: StartRequest): Promise<Outcome<StartedRunner>> {
    const [report, found] = [await probe(), await connected()];
    if (!report.available) return failed(report.problem);
    if (!found.ok) return found;
    let problem: SandboxProblem = noWorkers;
    for (const worker of found.value.toSorted((a, b) => b.free - a.free)) {
      worker.free -= 1;
      const started = await startOnWorker(request, {
        worker,
        digests,
        lostMs,
        required: report.guarantees,
        runtimePaths: runner.runtimePaths,
        nodePath: runner.nodePath,
      });
      if (started.ok) {
        void started.value.ended.then(() => (worker.free += 1));
        return started;
      }
      ({problem} = started);
      worker.free = 0;
      // Another worker would refuse it too.
      if (problem.retryable === undefined) break;
    }
    return failed(problem);
  }

  return {
    name,
    capabilities: {
      spares: true,
      views: true,
      writesDirectly: false,
      network: undefined,
      selfTest: false,
      killsAtOnce: true,
      lacks: [],
    },
    probe,
    start: (request) => inTurn(() => start(request)),
    reap: async () => await reapOwnedFolders(tmpdir(), arrivalsKind),
    async close() {
      const found = await connected();
      if (found.ok) for (const {client} of found.value) client.close();
    },
  };
}
