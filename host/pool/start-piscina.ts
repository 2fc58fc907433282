// The threads themselves, as Piscina keeps them.
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
