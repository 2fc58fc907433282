// Makes one operation on the disk fail, or several in a row, at each place of a run: full, broken, out of files. Callers must get the
// error of unwritable evidence, no acknowledgement may be lost, and everything must continue afterwards.
import {isKernelError, type KernelRuntime} from '@lumenflow/kernel';
import {mkdtempSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import type {Acknowledgement, RefusedTransition} from './acknowledgement.ts';
import {callAtRandom} from './call-at-random.ts';
import {checkWorkspace} from './check-workspace.ts';
import {tries, type CrashPoint, type SuiteOptions} from './crash-point.ts';
import type {FileOperation, FileSystemTap} from './file-operation.ts';
import {makeMemoryFolder} from './memory-folder.ts';
import {openCrashRuntime} from './open-crash-runtime.ts';
import {createRandom, type Random} from './random.ts';
import {deadProcess} from './record-trace.ts';

/** Which operations each error can meet. */
const errors: Readonly<Record<string, (operation: FileOperation) => boolean>> = {
  ENOSPC: ({kind, ...operation}) =>
    ['write', 'mkdir', 'link', 'rename', 'symlink'].includes(kind) || ('creates' in operation && operation.creates),
  EIO: () => true,
  EMFILE: ({kind, ...operation}) => kind === 'open' || (kind === 'read' && 'path' in operation),
};

export async function* faultPoints(options: SuiteOptions): AsyncGenerator<CrashPoint> {
  const random = createRandom(options.seed);
  const share = tries(1_000, options) / 1_000;
  const folder = makeMemoryFolder();
  try {
    for (const code of Object.keys(errors)) {
      // A run without a fault says how many operations there are.
      const whole = await faultyRun({
        folder,
        code,
        from: Number.POSITIVE_INFINITY,
        failures: 1,
        random,
        tap: options.tap,
      });
      yield whole.point;
      for (let from = 0; from < whole.operations; from += 1) {
        if (random.next() >= share) continue;
        const failures = random.next() < 0.5 ? 1 : 2 + random.below(20);
        yield (await faultyRun({folder, code, from, failures, random, tap: options.tap})).point;
      }
    }
  } finally {
    rmSync(folder, {recursive: true});
  }
}

interface FaultyRun {
  readonly folder: string;
  readonly code: string;
  /** The first operation that fails, of those that this error can meet. */
  readonly from: number;
  /** How many fail. */
  readonly failures: number;
  readonly random: Random;
  readonly tap: FileSystemTap;
}

async function faultyRun(run: FaultyRun): Promise<{readonly point: CrashPoint; readonly operations: number}> {
  const {folder, code, from, failures, random, tap} = run;
  const root = mkdtempSync(join(folder, 'faulty-'));
  const problems: string[] = [];
  const failed: string[] = [];
  let operations = 0;
  const end = tap.watch({
    root,
    before(operation) {
      if (errors[code]?.(operation) !== true) return undefined;
      operations += 1;
      const isOn = operations > from && operations <= from + failures;
      if (!isOn) return undefined;
      failed.push(operation.kind);
      // A disk that fills up writes what it can first.
      const isFirst = operations === from + 1;
      if (isFirst && operation.kind === 'write' && code === 'ENOSPC') return Math.floor(operation.bytes.length / 2);
      throw Object.assign(new Error(`${code}: injected into ${operation.kind}`), {code, syscall: operation.kind});
    },
    after: () => undefined,
  });
  const play = new FaultyPlay({root, random, problems, isOver: () => operations >= from + failures});
  const unhandled = (error: unknown): void => void problems.push(`nobody handled: ${String(error)}`);
  process.on('unhandledRejection', unhandled);
  try {
    await play.run();
  } finally {
    end();
    process.off('unhandledRejection', unhandled);
  }
  const {reported, effects} = play;
  // Lines that the disk does not allow to be removed remain, acknowledged or not.
  const refused = failed.includes('truncate') ? [] : play.refused;
  const checked = await checkWorkspace(root, {reported, effects, refused});
  problems.push(...checked.problems);
  rmSync(root, {recursive: true});
  const name = `${code} at ${from} for ${failures} (${[...new Set(failed)].join(', ')})`;
  return {point: {name, problems}, operations};
}

interface Play {
  readonly root: string;
  readonly random: Random;
  readonly problems: string[];
  /** Whether the fault has passed. */
  isOver(): boolean;
}

/** A runtime's life during which the fault comes. */
class FaultyPlay {
  readonly reported: Acknowledgement[] = [];
  readonly effects: string[] = [];
  readonly refused: RefusedTransition[] = [];
  readonly #play: Play;

  constructor(play: Play) {
    this.#play = play;
  }

  async run(): Promise<void> {
    const runtime = await this.#open();
    if (runtime === undefined) return;
    await this.#load(runtime, 'during', 40);
    if (this.#play.isOver()) {
      const refused = await this.#load(runtime, 'after', 4);
      if (refused.length > 0) this.#play.problems.push(`refused when the fault had passed: ${refused[0]}`);
    }
    await this.#expectKernelErrors('close', runtime.close());
  }

  /** An opening that fails may be tried again; undefined when it still fails. */
  async #open(): Promise<KernelRuntime | undefined> {
    const effect = (receiptId: string): void => void this.effects.push(receiptId);
    const {root} = this.#play;
    for (let attempt = 0; attempt < 25; attempt += 1) {
      const wasOver = this.#play.isOver();
      try {
        return await openCrashRuntime({root, processes: deadProcess(), effect});
      } catch (error) {
        if (!wasOver) continue;
        this.#play.problems.push(`cannot be opened any more: ${String(error)}`);
        return undefined;
      }
    }
    return undefined;
  }

  /** Gives what callers were refused with. */
  async #load(runtime: KernelRuntime, name: string, things: number): Promise<readonly string[]> {
    const refused: string[] = [];
    let left = things;
    const load = callAtRandom({
      runtime,
      random: this.#play.random,
      name,
      callers: 8,
      goesOn: () => left-- > 0,
      acknowledge: (reported) => void this.reported.push(reported),
      refuse: (message, transition) => {
        refused.push(message);
        if (transition !== undefined) this.refused.push(transition);
      },
    });
    await this.#inTime(name, load);
    return refused;
  }

  async #expectKernelErrors(what: string, done: Promise<void>): Promise<void> {
    await this.#inTime(
      what,
      done.catch((error: unknown) => {
        if (!isKernelError(error))
          this.#play.problems.push(`${what} fails with no error of the kernel: ${String(error)}`);
      }),
    );
  }

  async #inTime(what: string, work: Promise<unknown>): Promise<void> {
    const patience = new AbortController();
    const late = sleep(20_000, undefined, {signal: patience.signal}).then(
      () => `${what} hangs`,
      () => undefined,
    );
    const done = work.then(
      () => undefined,
      (error: unknown) => `${what}: a caller met no answer: ${String(error)}`,
    );
    const problem = await Promise.race([done, late]);
    patience.abort();
    if (problem !== undefined) this.#play.problems.push(problem);
  }
}
