// What is in flight in a runtime, so that closing it waits for the end, and nothing starts afterwards.
import {isKernelError, KernelError} from '../errors.ts';
import type {Kernel} from '../context/kernel.ts';
import type {LiveKernel} from '../reload/live-kernel.ts';
import {fail, type TransitionResult} from '../transition.ts';

export interface Lifecycle {
  run<T>(work: (kernel: Kernel) => Promise<T>): Promise<T>;
  /** A log that cannot be written is a failure of the transition. */
  transition<T>(work: (kernel: Kernel) => Promise<TransitionResult<T>>): Promise<TransitionResult<T>>;
  close(): Promise<void>;
}

export interface LifecycleParts {
  readonly live: LiveKernel;
  release(): Promise<void>;
  giveTurn?: (() => Promise<void> | undefined) | undefined;
}

/** Counts what is in flight, so that close can wait for it; after close nothing starts. */
export function createLifecycle({live, release, giveTurn}: LifecycleParts): Lifecycle {
  let inFlight = 0;
  let onIdle: (() => void) | undefined;
  let closing: Promise<void> | undefined;
  const run = async <T>(work: (kernel: Kernel) => Promise<T>): Promise<T> => {
    if (closing) throw new KernelError('RUNTIME_CLOSED', 'the runtime is closed: initialize a new one');
    const generation = live.enter();
    inFlight += 1;
    try {
      const turn = giveTurn?.();
      if (turn) await turn;
      return await work(generation.kernel);
    } finally {
      inFlight -= 1;
      live.leave(generation);
      if (inFlight === 0) onIdle?.();
    }
  };
  const idle = async (): Promise<void> => {
    if (inFlight > 0) await new Promise<void>((resolve) => (onIdle = resolve));
  };
  return {
    run,
    async transition<T>(work: (kernel: Kernel) => Promise<TransitionResult<T>>): Promise<TransitionResult<T>> {
      try {
        return await run(work);
      } catch (error) {
        if (!isKernelError(error) || error.code === 'RUNTIME_CLOSED') throw error;
        return fail('EVIDENCE_UNAVAILABLE', `nothing was changed, since it could not be recorded: ${error.message}`, {
          cause: error.code,
        });
      }
    },
    close(): Promise<void> {
      closing ??= idle().then(release);
      return closing;
    },
  };
}
