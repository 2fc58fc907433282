// One run of code in a fresh engine. Its interrupt handler ends loops; what it cannot interrupt ends with the thread.
import {cutText} from '@lumenflow/kernel';
import {
  isFail,
  type QuickJSContext,
  type QuickJSDeferredPromise,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import {EngineTexts} from '../../../isolate/engine-texts.ts';
import {jsonOr} from '../json-or.ts';
import {overTime} from '../over-time.ts';
import {userFrames} from '../user-frames.ts';
import type {ToolFailure} from '@lumenflow/schemas';
import {prelude} from './prelude.ts';
import {PrintedText} from './printed-text.ts';
import type {EngineEnd, EngineRun} from './engine-messages.ts';

/** The code's file in messages and stacks. */
const file = 'code.js';
const head = '(async () => {';
const stackBytes = 256 * 1024;
/** Requests of the code that wait for the host at once. */
const openMax = 256;
/** Of their arguments together, which the host copies. */
const openCharsMax = 10 * 1024 * 1024;
const nameCharsMax = 100;
const reportCharsMax = 64 * 1024;
const messageCharsMax = 4_000;
const causeCharsMax = 64;
const outOfMemory = 'InternalError: out of memory';

/** Asks the host; resolves to JSON. */
export type Ask = (operation: string, args: string) => Promise<string>;

export async function runInEngine(engine: QuickJSWASMModule, run: EngineRun, ask: Ask): Promise<EngineEnd> {
  const printed = new PrintedText(run.outputBytes);
  const endWith = (outcome: {value: string} | {failure: ToolFailure}): EngineEnd => ({...printed.text(), ...outcome});
  try {
    return endWith(await new Run(engine.newRuntime(), run, {ask, print: (...line) => printed.add(...line)}).end());
  } catch {
    // The engine aborts where it cannot allocate, or where its stack in the thread ends.
    return endWith({failure: beyondMemory(run.memoryBytes)});
  }
}

interface Surroundings {
  readonly ask: Ask;
  print(stream: string, text: string): void;
}

type Outcome = {readonly value: string} | {readonly failure: ToolFailure};

class Run {
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  readonly #texts: EngineTexts;
  readonly #run: EngineRun;
  readonly #surroundings: Surroundings;
  readonly #deadline: number;
  #open = 0;
  #openChars = 0;
  #ended: Outcome | undefined;
  #settle: (outcome: Outcome) => void = () => undefined;
  #break: (error: unknown) => void = () => undefined;

  constructor(runtime: QuickJSRuntime, run: EngineRun, surroundings: Surroundings) {
    this.#runtime = runtime;
    this.#run = run;
    this.#surroundings = surroundings;
    this.#deadline = performance.now() + run.wallMs;
    runtime.setInterruptHandler(() => this.#isOverTime());
    runtime.setMaxStackSize(stackBytes);
    this.#context = runtime.newContext();
    this.#texts = new EngineTexts(this.#context);
  }

  /** Rejects when the engine broke. */
  async end(): Promise<Outcome> {
    return await new Promise((resolve, reject) => {
      this.#settle = resolve;
      this.#break = reject;
      const start = this.#evaluate(prelude, this.#requestFunction(), this.#printFunction(), this.#endFunction());
      const main = this.#context.evalCode(`${head}${this.#run.code}\n})`, file);
      if (isFail(main)) return resolve({failure: this.#describeUnstarted(main.error)});
      this.#call(start, main.value);
      this.#proceed();
    });
  }

  /** Runs what can run. Without an end and without open requests, the code waits for nothing. */
  #proceed(): void {
    const jobs = this.#runtime.executePendingJobs();
    if (this.#ended !== undefined) return this.#settle(this.#ended);
    if (this.#isOverTime()) return this.#settle({failure: overTime(this.#run.wallMs)});
    if (isFail(jobs)) return this.#settle({failure: this.#describeThrown(jobs.error)});
    if (this.#open === 0) this.#settle({failure: neverSettles});
  }

  #isOverTime(): boolean {
    return performance.now() > this.#deadline;
  }

  #evaluate(source: string, ...args: readonly QuickJSHandle[]): QuickJSHandle {
    return this.#call(this.#context.unwrapResult(this.#context.evalCode(source, 'prelude.js')), ...args);
  }

  #call(callee: QuickJSHandle, ...args: readonly QuickJSHandle[]): QuickJSHandle {
    const called = this.#context.callFunction(callee, this.#context.undefined, ...args);
    // Only a loop without an `await` fails here: other errors are of the promise.
    if (isFail(called)) {
      this.#ended = {failure: this.#describeThrown(called.error)};
      return this.#context.undefined;
    }
    return called.value;
  }

  #requestFunction(): QuickJSHandle {
    const context = this.#context;
    return context.newFunction('request', (operation, args) => {
      const promise = context.newPromise();
      const text = this.#texts.read(args, openCharsMax + 1);
      const beyond = this.#open >= openMax ? tooManyOpen : this.#openChars + text.length > openCharsMax && tooLongOpen;
      if (beyond === false) void this.#answer(promise, this.#texts.read(operation, nameCharsMax), text);
      else promise.resolve(context.newString(beyond));
      return promise.handle;
    });
  }

  async #answer(promise: QuickJSDeferredPromise, operation: string, args: string): Promise<void> {
    this.#open += 1;
    this.#openChars += args.length;
    const answer = await this.#surroundings.ask(operation, args);
    if (this.#ended !== undefined) return;
    this.#open -= 1;
    this.#openChars -= args.length;
    try {
      promise.resolve(this.#context.newString(answer));
      this.#proceed();
    } catch (error) {
      this.#break(error);
    }
  }

  #printFunction(): QuickJSHandle {
    const {outputBytes} = this.#run;
    return this.#context.newFunction('print', (stream, text) =>
      this.#surroundings.print(this.#texts.read(stream, nameCharsMax), this.#texts.read(text, outputBytes + 1)),
    );
  }

  #endFunction(): QuickJSHandle {
    const context = this.#context;
    return context.newFunction('end', (isValue, json) => {
      const text = (charsMax: number): string => this.#texts.read(json, charsMax);
      this.#ended ??=
        context.typeof(isValue) === 'boolean' && context.dump(isValue) === true
          ? this.#withValue(text(this.#run.outputBytes + 1))
          : {failure: this.#describeReport(text(reportCharsMax))};
    });
  }

  #withValue(value: string): Outcome {
    const {outputBytes} = this.#run;
    if (Buffer.byteLength(value) <= outputBytes) return {value};
    const message = `the value of the code is longer as JSON than its limit of ${outputBytes} \`output_bytes\``;
    return {failure: {code: 'LIMIT_EXCEEDED', message, details: {limit: 'output_bytes', output_bytes: outputBytes}}};
  }

  #describeUnstarted(error: QuickJSHandle): ToolFailure {
    const {name, message, stack} = this.#dumpError(error);
    if (name !== 'SyntaxError') return this.#describeThrown(error);
    const line = Number(/code\.js:(\d+)/u.exec(stack)?.[1] ?? 1);
    const text = `the code is not valid JavaScript: ${message} (line ${line})`;
    return {code: 'INVALID_INPUT', message: cutText(text, messageCharsMax), details: {line}};
  }

  #describeThrown(error: QuickJSHandle): ToolFailure {
    const {name, message, stack} = this.#dumpError(error);
    return this.#describe(`${name}: ${message}`, stack);
  }

  /** What the prelude writes about an error of the code, which can be anything. */
  #describeReport(json: string): ToolFailure {
    const {text, stack, cause} = Object(jsonOr(json, undefined)) as Readonly<Record<string, unknown>>;
    return this.#describe(String(text), String(stack), cause);
  }

  #describe(text: string, stack: string, cause?: unknown): ToolFailure {
    // The interrupt of a loop is an error of the promise around it.
    if (this.#isOverTime()) return overTime(this.#run.wallMs);
    if (text === outOfMemory) return beyondMemory(this.#run.memoryBytes);
    const message = cutText(`the code failed: ${text}`, messageCharsMax);
    const place = userFrames(stack, {file, head: head.length});
    const details = {
      ...(place !== '' && {stack: place}),
      ...(typeof cause === 'string' && {cause: cutText(cause, causeCharsMax)}),
    };
    return {code: 'TOOL_EXECUTION_FAILED', message, ...(Object.keys(details).length > 0 && {details})};
  }

  #dumpError(error: QuickJSHandle): Readonly<Record<'name' | 'message' | 'stack', string>> {
    const read = (key: string): string => this.#texts.member(error, key, messageCharsMax);
    return {name: read('name'), message: read('message'), stack: read('stack')};
  }
}

const tooManyOpen = JSON.stringify({
  ok: false,
  problem: {code: 'LIMIT_EXCEEDED', message: `at most ${openMax} requests may be open at the same time`},
});

const tooLongOpen = JSON.stringify({
  ok: false,
  problem: {
    code: 'LIMIT_EXCEEDED',
    message: `the arguments of open requests may have at most ${openCharsMax} characters together`,
  },
});

const neverSettles: ToolFailure = {
  code: 'TOOL_EXECUTION_FAILED',
  message: 'the code waits for a promise that nothing settles',
};

function beyondMemory(memoryBytes: number): ToolFailure {
  const message = `the code exceeded the memory of its engine, ${memoryBytes} \`memory_bytes\``;
  return {code: 'LIMIT_EXCEEDED', message, details: {limit: 'memory_bytes', memory_bytes: memoryBytes}};
}
