// The threads themselves, as Piscina keeps them.
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

export function startPiscina(options: ThreadOptions): Piscina {
  const piscina = new Piscina({
    filename: options.worker,
    name: 'runBatch',
    minThreads: options.threadsMin,
    maxThreads: options.threadsMax,
    maxQueue: Infinity,
    resourceLimits: options.resourceLimits,
    recordTiming: false,
    // Handlers see no variable of the host, nor do threads take over its loaders.
    env: {},
    execArgv: [],
    argv: [],
  });
  piscina.on('error', (error: unknown) => options.onProblem(`an idle pool thread ended: ${String(error)}`));
  return piscina;
}

/** Ends all threads, each once it has loaded its program: ended in the middle of that, Node 20 aborts the whole process. */
export async function endPiscina(piscina: Piscina, hasStarted: (threadId: number) => boolean): Promise<void> {
  const starting = piscina.threads.filter(({threadId}) => !hasStarted(threadId));
  // Its first message says that it has; one that cannot start ends by itself.
  await Promise.allSettled(starting.map((thread) => Promise.race([once(thread, 'message'), once(thread, 'exit')])));
  await piscina.destroy();
}
