// One run of a command: its output, its end, and its live resources. It ends as in Node: the first call of `process.exit`
// decides, an uncaught error is status 1, and otherwise `process.exitCode` counts.
import {Console} from 'node:console';
import {inspect} from 'node:util';
import {createCapturedStream, type CapturedStream} from './captured-stream.ts';
import type {CliResult} from './cli-result.ts';
import {isExitSignal, RuntimeCliExitSignal} from './exit-signal.ts';
import {createGivenStdin, type GivenStdin} from './given-stdin.ts';
import type {ProcessState} from './process-state.ts';
import {createRunQueue, type RunQueue} from './run-queue.ts';
import type {RunResources} from './run-resources.ts';
import {uncaughtText} from './uncaught-text.ts';

export interface CliRunWords {
  readonly argv: string[];
  readonly stdin: string | Uint8Array;
  readonly outputBytesMax: number;
}

export class CliRun {
  argv: string[];
  env: NodeJS.ProcessEnv;
  readonly output: Readonly<Record<1 | 2, CapturedStream>>;
  readonly console: Console;
  readonly stdin: GivenStdin;
  readonly resources: RunResources;
  /** Of the runs that this one starts: they are part of it and do not wait for its end. */
  readonly queue: RunQueue = createRunQueue();
  /** Resolves when the status is final. */
  readonly ended: Promise<void>;
  readonly #end: () => void;
  readonly #state: ProcessState;
  #isExiting = false;
  #isOver = false;
  #status = 0;
  #executionError: string | undefined;

  constructor({argv, stdin, outputBytesMax}: CliRunWords, state: ProcessState, resources: RunResources) {
    this.argv = argv;
    this.output = {1: createCapturedStream(outputBytesMax), 2: createCapturedStream(outputBytesMax)};
    this.console = new Console(this.output[1].stream, this.output[2].stream);
    this.stdin = createGivenStdin(stdin);
    this.#state = state;
    this.env = state.env(() => this.#isOver);
    let end = (): void => undefined;
    this.ended = new Promise((resolve) => (end = resolve));
    this.#end = end;
    this.resources = resources;
  }

  /** Nothing it does counts any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** What `process.exit` does inside the run: always throws. */
  exit(code?: number | string | null): never {
    if (this.#isOver) throw new RuntimeCliExitSignal(this.#status);
    // Node itself judges the code, here and where the command sets it.
    if (code !== undefined && code !== null) process.exitCode = code;
    this.finish();
    throw new RuntimeCliExitSignal(this.#status);
  }

  /** An error that the command did not catch. */
  fail(error: unknown): void {
    if (this.#isOver || isExitSignal(error)) return;
    this.#report(error);
    this.finish();
  }

  /** Its own code waits for what nothing is left to bring: Node's status for that is 13. */
  giveUp(): void {
    this.#executionError = 'the command waits for something that nothing is left to bring';
    process.exitCode = 13;
    this.finish();
  }

  /** Ends it from outside, its children too, and nothing of it is asked. */
  stop(status: number, reason: string): void {
    if (this.#isOver) return;
    this.#executionError = reason;
    this.resources.killChildren();
    this.#close(status);
  }

  /** Its listeners may start something new. */
  beforeExit(): void {
    this.#emit('beforeExit');
  }

  /** As at the end of a process: its listeners are called and may still change the code. */
  finish(): void {
    // Called by an `exit` listener: its code becomes final after all listeners.
    if (this.#isOver || this.#isExiting) return;
    this.#isExiting = true;
    this.#emit('exit');
    this.#close(exitCode());
  }

  result(): CliResult {
    const error = this.#executionError;
    const isTruncated = this.output[1].isTruncated() || this.output[2].isTruncated();
    return {
      ok: this.#status === 0 && error === undefined,
      status: this.#status,
      stdout: this.output[1].text(),
      stderr: this.output[2].text(),
      ...(error === undefined ? {} : {execution_error: error}),
      ...(isTruncated ? {truncated: true} : {}),
    };
  }

  #emit(event: 'exit' | 'beforeExit'): void {
    try {
      this.#state.emitOwn(event, exitCode());
    } catch (error) {
      if (isExitSignal(error)) return;
      this.#report(error);
      this.finish();
    }
  }

  #report(error: unknown): void {
    this.#executionError ??= error instanceof Error && error.message !== '' ? error.message : inspect(error);
    this.output[2].print(Buffer.from(uncaughtText(error)));
    process.exitCode = 1;
  }

  #close(status: number): void {
    this.#isOver = true;
    this.#status = status & 0xff;
    this.output[1].mute();
    this.output[2].mute();
    this.#end();
  }
}

function exitCode(): number {
  return Number(process.exitCode ?? 0);
}
