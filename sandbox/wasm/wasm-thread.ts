// The host's end of a thread that runs WebAssembly modules. It serves one call at a time; ending a call in the middle ends the thread.
import {MessageChannel, Worker, type MessagePort} from 'node:worker_threads';
import type {RunnerEnd, StartedRunner} from '../backends/sandbox-backend.ts';
import {createThreadMeter} from './create-thread-meter.ts';
import {endOfThread, type ServedCall, type ThreadProblem} from './end-of-thread.ts';
import {openThreadStreams} from './open-thread-streams.ts';
import {slots, type FromThread, type ThreadData, type ThreadLimits, type ToThread} from './thread-messages.ts';

/** For JavaScript values: inputs, answers, outputs. Memories of modules have their own limit. */
const resourceLimits = {maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32, stackSizeMb: 4};

export class WasmThread {
  /** Resolves when the thread has ended. */
  readonly ended: Promise<void>;
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #shared: ThreadData['shared'] = new Int32Array(new SharedArrayBuffer(4 * Object.keys(slots).length));
  readonly #onIdle: () => void;
  #call: ServedCall | undefined;
  #hasEnded = false;
  #isEnding = false;

  /** `program`: what it runs, built. `onIdle`: it has finished a call, and can serve another. */
  constructor(program: string, onIdle: () => void) {
    const {port1, port2} = new MessageChannel();
    this.#port = port1;
    this.#onIdle = onIdle;
    this.#worker = new Worker(program, {
      workerData: {port: port2, shared: this.#shared} satisfies ThreadData,
      transferList: [port2],
      env: {},
      execArgv: [],
      resourceLimits,
    });
    let problem: ThreadProblem | undefined;
    this.#worker.on('error', (error) => (problem = error));
    this.ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#hasEnded = true;
        port1.close();
        if (this.#call !== undefined) this.#finish(this.#call, endOfThread(this.#call, problem));
        resolve();
      });
    });
    port1.on('message', (message: FromThread) => this.#receive(message));
    this.#keepAlive(false);
  }

  /** Whether it can serve another call. */
  get isIdle(): boolean {
    return this.#call === undefined && !this.#hasEnded;
  }

  end(): void {
    // Each `terminate` of a worker adds a listener to it.
    if (this.#isEnding) return;
    this.#isEnding = true;
    void this.#worker.terminate();
  }

  serve(limits: ThreadLimits): StartedRunner {
    const streams = openThreadStreams((message) => this.#send(message));
    let settle: ServedCall['settle'] = () => undefined;
    const ended = new Promise<RunnerEnd>((resolve) => (settle = resolve));
    const call: ServedCall = {...streams, settle, over: undefined, isKilled: false, outOfMemory: false};
    const meter = createThreadMeter(this.#shared, () => call.outOfMemory);
    this.#call = call;
    this.#keepAlive(true);
    this.#send({kind: 'start', limits});
    return {
      pid: undefined,
      ...streams,
      ended,
      meter,
      degraded: [],
      kill: () => this.#call === call && this.#kill(call),
      keepAlive: (on) => this.#call === call && this.#keepAlive(on),
      setUpProblem: () => undefined,
    };
  }

  #send(message: ToThread): void {
    this.#port.postMessage(message, message.kind === 'wire' ? [message.bytes.buffer as ArrayBuffer] : []);
    Atomics.add(this.#shared, slots.sent, 1);
    Atomics.notify(this.#shared, slots.sent);
  }

  #receive(message: FromThread): void {
    const {kind, bytes, over} = message;
    Atomics.sub(this.#shared, slots.pending, bytes.length);
    Atomics.notify(this.#shared, slots.pending);
    const call = this.#call;
    if (call === undefined) return;
    call.over = over;
    call[kind].push(bytes);
    if (over?.outOfMemory !== true) return;
    call.outOfMemory = true;
    this.#kill(call);
  }

  /** A call that is over leaves the thread for the next one. */
  #kill(call: ServedCall): void {
    if (call.over?.reusable === true) {
      this.#finish(call, endOfThread(call, undefined));
      this.#onIdle();
      return;
    }
    call.isKilled = call.over === undefined;
    this.end();
  }

  #finish(call: ServedCall, end: RunnerEnd): void {
    this.#call = undefined;
    this.#keepAlive(false);
    for (const stream of [call.wire, call.stdout, call.stderr]) stream.push(null);
    call.wire.destroy();
    call.settle(end);
  }

  #keepAlive(on: boolean): void {
    const change = on ? 'ref' : 'unref';
    this.#worker[change]();
    this.#port[change]();
  }
}
