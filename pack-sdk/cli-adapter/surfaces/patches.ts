// Replaces functions and properties of the process. Code of a run uses the run's versions, and all other code the originals.
// Restores exactly what was there.
import type {CliRun} from '../run/cli-run.ts';

export interface InterceptedCall {
  readonly run: CliRun;
  readonly self: unknown;
  readonly args: readonly unknown[];
  /** Calls the original, with other arguments if given. */
  proceed(args?: readonly unknown[]): unknown;
}

/** The runs of the process, as the surfaces see them. */
export interface SurfaceRuns {
  /** The run whose code is running. */
  current(): CliRun | undefined;
  /** The run that has started last of those that are not over. */
  latest(): CliRun | undefined;
  within<Value>(run: CliRun, action: () => Value): Value;
}

export interface Patches {
  readonly currentRun: () => CliRun | undefined;
  /** Calls made by a run, also by one that is over, go to `answer`. What is not there is left alone. */
  intercept(owner: object, key: string, answer: (call: InterceptedCall) => unknown): void;
  /** Inside a run the property is what `read` gives. */
  substitute(owner: object, key: string, read: (run: CliRun) => unknown, write?: Write): void;
  restore(): void;
}

type Write = (run: CliRun, value: unknown) => void;

export function createPatches(currentRun: () => CliRun | undefined): Patches {
  const undo: (() => void)[] = [];

  function define(owner: object, key: string, descriptor: PropertyDescriptor): void {
    const before = Object.getOwnPropertyDescriptor(owner, key);
    Object.defineProperty(owner, key, {configurable: true, enumerable: before?.enumerable ?? true, ...descriptor});
    undo.push(() => {
      if (before === undefined) Reflect.deleteProperty(owner, key);
      else Object.defineProperty(owner, key, before);
    });
  }

  return {
    currentRun,
    intercept(owner, key, answer) {
      const original: unknown = Reflect.get(owner, key);
      if (typeof original !== 'function') return;
      const value = new Proxy(original, {
        apply(_target, self, args: unknown[]): unknown {
          const proceed = (changed: readonly unknown[] = args): unknown => Reflect.apply(original, self, changed);
          const run = currentRun();
          return run === undefined ? proceed() : answer({run, self, args, proceed});
        },
      });
      define(owner, key, {value, writable: true});
    },
    substitute(owner, key, read, write) {
      const before = Object.getOwnPropertyDescriptor(owner, key);
      let ofHost: unknown = before?.value;
      define(owner, key, {
        get() {
          const run = currentRun();
          if (run !== undefined) return read(run);
          return before?.get === undefined ? ofHost : Reflect.apply(before.get, owner, []);
        },
        set(value: unknown) {
          const run = currentRun();
          if (run === undefined) ofHost = value;
          else write?.(run, value);
        },
      });
    },
    restore() {
      for (const step of undo.toReversed()) step();
      undo.length = 0;
    },
  };
}
