// Starts the thread of a pack's isolate and queries it. A thread that does not answer is killed: from then on every question
// throws, which the policy counts as deny.
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import {MessageChannel, receiveMessageOnPort, Worker, type MessagePort} from 'node:worker_threads';
import {
  answeredTurns,
  askedTurns,
  type EngineReady,
  type IsolateAnswer,
  type IsolateLoad,
  type IsolateQuestion,
  type IsolateStart,
  type NumberedAnswer,
} from './isolate-wire.ts';
import type {QuickJsLimits} from './quickjs-isolate.ts';
import {overdue, workedMs} from './thread-clock.ts';

export interface Isolate {
  /** The factories' results, as untrusted JSON text. */
  readonly made: string;
  /** Synchronous. Throws Error when the `when` throws, exceeds its time, or returns a value that is not a boolean. */
  ask(index: number, context: unknown): boolean;
  end(): void;
}

const limits: QuickJsLimits = {loadMs: 1000, whenMs: 50, memoryBytes: 64 * 1024 * 1024};
/** Timeout for the thread and its engine to start on a busy machine. */
const startMsMax = 30_000;
/** Extra time before the thread of an isolate that cannot be interrupted is killed. */
const graceMs = 200;
const contextLengthMax = 4 * 1024 * 1024;

/** Threads run built JavaScript, even when the host runs from its sources. */
const threadUrl = new URL(
  import.meta.url.endsWith('.ts') ? '../dist/isolate/isolate-thread.js' : './isolate-thread.js',
  import.meta.url,
);

/** A thread whose engine starts while its pack is still being checked: it has not received the pack's code. */
export interface IsolateEngine {
  /** Loads a factory module's source once. Fails with the reason why the factories do not load. */
  load(source: string, config: unknown): Promise<Outcome<Isolate, string>>;
  /** Ends an engine that has loaded nothing. */
  end(): void;
}

export function startEngine(): IsolateEngine {
  const {port1: port, port2: threadPort} = new MessageChannel();
  const turns = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(threadUrl, {
    workerData: {limits, turns, port: threadPort} satisfies IsolateStart,
    transferList: [threadPort],
    env: {},
    execArgv: [],
    resourceLimits: {maxOldGenerationSizeMb: 64, stackSizeMb: 8},
  });
  const state: IsolateState = {worker, port, turns, clock: undefined, ended: undefined};
  worker.on('error', (error) => end(state, `its thread failed: ${error.message}`));
  const ready = nextMessage<EngineReady>(state, (finish) =>
    setTimeout(() => finish(failed('its engine did not start')), startMsMax),
  );
  let isUsed = false;
  return {
    load: async (source, config) => {
      isUsed = true;
      const engine = await ready;
      const loaded = engine.ok
        ? await load(Object.assign(state, engine.value), {source, configJson: JSON.stringify(config)})
        : engine;
      worker.unref();
      if (!loaded.ok) {
        end(state, loaded.problem);
        return loaded;
      }
      return ok({
        made: loaded.value,
        ask: (index, context) => ask(state, index, JSON.stringify(context)),
        end: () => end(state, 'it was replaced'),
      });
    },
    // Node 20 can abort the whole process if a thread ends while it starts.
    end: () => {
      if (!isUsed) void ready.then(() => end(state, 'it was not needed'));
    },
  };
}

interface IsolateState {
  readonly worker: Worker;
  readonly port: MessagePort;
  readonly turns: Int32Array;
  /** Of its thread. */
  clock: string | undefined;
  /** Why it no longer answers. */
  ended: string | undefined;
}

async function load(state: IsolateState, {source, configJson}: IsolateLoad): Promise<IsolateAnswer<string>> {
  const {port} = state;
  port.postMessage({source, configJson} satisfies IsolateLoad);
  const isOver = overdue(() => workedMs(state.clock), limits.loadMs + graceMs);
  return await nextMessage(state, (finish) =>
    setInterval(() => {
      if (isOver()) finish(failed('it could not be interrupted and was ended'));
    }, limits.loadMs + graceMs),
  );
}

/** The thread's next message, or the reason why there is none; `startTimer` can stop waiting for it. */
async function nextMessage<T>(
  {worker, port}: IsolateState,
  startTimer: (finish: (message: IsolateAnswer<T>) => void) => NodeJS.Timeout,
): Promise<IsolateAnswer<T>> {
  return await new Promise((resolve) => {
    const onError = (error: Error): void => finish(failed(`its thread failed: ${error.message}`));
    const finish = (message: IsolateAnswer<T>): void => {
      clearTimeout(timer);
      port.off('message', finish).unref();
      worker.off('error', onError);
      resolve(message);
    };
    const timer = startTimer(finish);
    port.on('message', finish).ref();
    worker.once('error', onError);
  });
}

function ask(state: IsolateState, index: number, contextJson: string): boolean {
  if (state.ended !== undefined) throw new Error(`the pack's isolate has ended: ${state.ended}`);
  if (contextJson.length > contextLengthMax) throw new Error('the call is too large for a `when`');
  const {port, turns} = state;
  const turn = Atomics.load(turns, askedTurns);
  port.postMessage({turn, index, contextJson} satisfies IsolateQuestion);
  Atomics.add(turns, askedTurns, 1);
  Atomics.notify(turns, askedTurns);
  if (!isAnswered(state, turn)) {
    end(state, '`when` could not be interrupted');
    throw new Error('`when` could not be interrupted, so the pack’s isolate was ended');
  }
  const answer = receiveMessageOnPort(port)?.message as NumberedAnswer | undefined;
  if (answer?.turn !== turn) {
    end(state, 'its answers and questions came apart');
    throw new Error('the isolate replied to another request and was killed');
  }
  if (!answer.ok) throw new Error(answer.problem);
  return answer.value;
}

/** Blocks until this turn is answered. */
function isAnswered(state: IsolateState, turn: number): boolean {
  const waitMs = limits.whenMs + graceMs;
  let isOver: (() => boolean) | undefined;
  while (Atomics.load(state.turns, answeredTurns) <= turn) {
    if (Atomics.wait(state.turns, answeredTurns, turn, waitMs) !== 'timed-out') continue;
    isOver ??= overdue(() => workedMs(state.clock), waitMs);
    if (isOver()) return false;
  }
  return true;
}

function end(state: IsolateState, reason: string): void {
  state.ended ??= reason;
  state.port.close();
  void state.worker.terminate();
}
