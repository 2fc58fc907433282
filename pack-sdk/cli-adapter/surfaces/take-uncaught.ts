// Uncaught errors: those of a run end the run; all others are handled as before.
import {isExitSignal} from '../run/exit-signal.ts';
import type {SurfaceRuns} from './patches.ts';

type Listener = (...parameters: unknown[]) => void;

const events = ['uncaughtException', 'unhandledRejection'] as const;

/** Gives a function that puts the host's own listeners back. */
export function takeUncaught(runs: SurfaceRuns): () => void {
  const giveBacks = events.map((event) => {
    const ofHost = (process.rawListeners(event) as Listener[]).filter((one) => one !== throwUnlessExit);
    process.removeAllListeners(event);
    const listener: Listener = (error, ...rest) => {
      if (isExitSignal(error)) return;
      const run = runs.current();
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
  giveBacks.push(catchExits(runs));
  return () => giveBacks.forEach((giveBack) => giveBack());
}

/**
 * Node ends the process for an error that a listener of such an error throws, and an exit of a run is thrown as an error. Node also
 * reports an error of a microtask outside of its context.
 */
function catchExits(runs: SurfaceRuns): () => void {
  const emit = process.emit.bind(process) as (...event: unknown[]) => boolean;
  const value = (...event: unknown[]): boolean => {
    if (event[0] !== 'uncaughtException' && event[0] !== 'unhandledRejection') return emit(...event);
    const run = runs.current() ?? (event[0] === 'uncaughtException' ? runs.latest() : undefined);
    if (run === undefined) return emit(...event);
    try {
      return runs.within(run, () => emit(...event));
    } catch (error) {
      if (!isExitSignal(error)) throw error;
      return true;
    }
  };
  const before = Object.getOwnPropertyDescriptor(process, 'emit');
  Object.defineProperty(process, 'emit', {value, configurable: true, writable: true});
  return () => {
    if (before === undefined) Reflect.deleteProperty(process, 'emit');
    else Object.defineProperty(process, 'emit', before);
  };
}

function throwUnlessExit(error: unknown): void {
  if (!isExitSignal(error)) throw error;
}
