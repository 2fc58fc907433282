// Uncaught errors: those of a run end the run; all others are handled as before.
import type {CliRun} from '../run/cli-run.ts';
import {isExitSignal} from '../run/exit-signal.ts';

type Listener = (...parameters: unknown[]) => void;

const events = ['uncaughtException', 'unhandledRejection'] as const;

/** Gives a function that puts the host's own listeners back. */
export function takeUncaught(currentRun: () => CliRun | undefined): () => void {
  const giveBacks = events.map((event) => {
    const ofHost = (process.rawListeners(event) as Listener[]).filter((one) => one !== throwUnlessExit);
    process.removeAllListeners(event);
    const listener: Listener = (error, ...rest) => {
      if (isExitSignal(error)) return;
      const run = currentRun();
      // The run has its own listeners, so this is not a failure.
      if (run !== undefined) {
        if (process.listenerCount(event) === 1) run.fail(error);
        return;
      }
      if (ofHost.length === 0) throw error;
      for (const one of ofHost) Reflect.apply(one, process, [error, ...rest]);
    };
    process.on(event, listener);
    return () => {
      process.removeListener(event, listener);
      for (const one of ofHost) process.on(event, one);
      // An exit after the end of the run has no effect.
      if (ofHost.length === 0 && event === 'unhandledRejection') process.on(event, throwUnlessExit);
    };
  });
  return () => giveBacks.forEach((giveBack) => giveBack());
}

function throwUnlessExit(error: unknown): void {
  if (!isExitSignal(error)) throw error;
}
