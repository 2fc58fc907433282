// Starts and stops the threads, which Piscina manages.
import {once} from 'node:events';
import type {ResourceLimits} from 'node:worker_threads';
import {Piscina} from 'piscina';

export interface ThreadOptions {
  /** Absolute path of the built thread program. */
  readonly worker: string;
  readonly threadsMin: number;
  readonly threadsMax: number;
  readonly resourceLimits: ResourceLimits;
  readonly onProblem: (problem: string) => void;
}

/** A thread above the minimum ends after so long without a call. */
const idleMs = 10_000;

export function startPiscina(options: ThreadOptions): Piscina {
  const piscina = new Piscina({
    filename: options.worker,
    name: 'runBatch',
    minThreads: options.threadsMin,
    maxThreads: options.threadsMax,
    // Piscina's default is 0: under calls with short pauses it would end and start a thread for each.
    idleTimeout: idleMs,
    maxQueue: Infinity,
    resourceLimits: options.resourceLimits,
    recordTiming: false,
    // Handlers see no variables of the host, and threads do not inherit its loaders.
    env: {},
    execArgv: [],
    argv: [],
  });
  piscina.on('error', (error: unknown) => options.onProblem(`an idle pool thread ended: ${String(error)}`));
  return piscina;
}

/** Ends each thread after it has loaded its program: Node 20 aborts the whole process if a thread ends while loading. */
export async function endPiscina(piscina: Piscina, hasStarted: (threadId: number) => boolean): Promise<void> {
  const starting = piscina.threads.filter(({threadId}) => !hasStarted(threadId));
  // A thread's first message reports that it has loaded. A thread that cannot start ends by itself.
  await Promise.allSettled(starting.map((thread) => Promise.race([once(thread, 'message'), once(thread, 'exit')])));
  await piscina.destroy();
}
