// The runs of this process. All adapters share one set of surfaces and one queue, because there is only one `process`. This is the only
// global state of the package.
import {AsyncLocalStorage} from 'node:async_hooks';
import {CliRun, type CliRunWords} from './run/cli-run.ts';
import {saveProcessState} from './run/process-state.ts';
import {createRunQueue} from './run/run-queue.ts';
import {trackResources} from './run/run-resources.ts';
import type {Inside} from './run-to-end.ts';
import {createScriptLoader, type ScriptLoader} from './script-loader.ts';
import {installSurfaces} from './surfaces/install-surfaces.ts';

const residueMs = 20;

class ProcessRuns {
  readonly scripts: ScriptLoader = createScriptLoader();
  readonly #runs = new AsyncLocalStorage<CliRun>();
  readonly #queue = createRunQueue();
  /** Running, or over with something left. */
  readonly #alive = new Set<CliRun>();
  #uninstall: (() => void) | undefined;

  /** The run whose code is running. */
  current(): CliRun | undefined {
    return this.#runs.getStore();
  }

  /** One task after the other; what a run starts is part of that run and waits only for its like. */
  runExclusive<Result>(task: () => Promise<Result>): Promise<Result> {
    const parent = this.current();
    return parent === undefined ? this.#queue.add(task) : parent.resources.hold(parent.queue.add(task));
  }

  /** Within runExclusive. The process is as before when the promise settles. */
  async run(words: CliRunWords, task: (run: CliRun, inside: Inside) => Promise<void>): Promise<CliRun> {
    this.#uninstall ??= installSurfaces({
      current: () => this.current(),
      latest: () => [...this.#alive].findLast((run) => !run.isOver),
      within: (run, action) => this.#runs.run(run, action),
    });
    const state = saveProcessState();
    const tracked = trackResources({
      current: () => this.current()?.resources,
      enter: () => this.#runs.enterWith(run),
    });
    const run: CliRun = new CliRun(words, state, tracked);
    this.#alive.add(run);
    try {
      await task(run, (start) => this.#runs.run(run, start));
    } finally {
      run.resources.clearTimers();
      state.restore();
      await this.#release(run);
    }
    return run;
  }

  /** What a run has left meets the guards, which stay for as long as there is any. */
  async #release(run: CliRun): Promise<void> {
    for (let turn = 0; turn < 3 && run.resources.isAnythingLeft(); turn++) await nextTurn();
    if (run.resources.isAnythingLeft()) {
      setTimeout(() => void this.#release(run), residueMs).unref();
      return;
    }
    run.resources.stopTracking();
    this.#alive.delete(run);
    if (this.#alive.size > 0) return;
    this.#uninstall?.();
    this.#uninstall = undefined;
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

export const processRuns: ProcessRuns = new ProcessRuns();
