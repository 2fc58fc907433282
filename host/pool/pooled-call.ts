// One call on its way through the pool, and the answers that end it early.
import {setMaxListeners, type EventEmitter} from 'node:events';
import type {Invocation, ToolOutput} from '@lumenflow/schemas';
import {failedOutput} from './failed-output.ts';
import {busy, cancelledBeforeStart} from './refusals.ts';
import type {CallListener} from './switchboard.ts';

export interface PoolCall {
  readonly invocation: Invocation;
  readonly signal?: AbortSignal;
  /** Of the handler's run; waiting for a thread is bounded by the same. */
  readonly timeoutMs: number;
  /** How many calls this one is nested in; default 0. */
  readonly depth?: number;
  /** Gets the handler's messages in order, all before the call is answered. */
  readonly onMessage: CallListener;
}

/** The calls that went to a thread together. */
export interface HandedBatch {
  readonly calls: readonly PooledCall[];
  /** One word for each call; undefined for a single call, which begins at once. */
  readonly states: Int32Array | undefined;
  /** Ends the thread. Piscina takes it for a signal; it costs less than one. */
  readonly kill: EventEmitter;
  /** A call was answered: the thread goes on with the next. */
  beginNext(): void;
}

export interface PooledCall {
  readonly id: number;
  readonly call: PoolCall;
  /** The batch that it was handed to a thread with; undefined while it waits in the line. */
  batch: HandedBatch | undefined;
  /** Its handler begins: the time that it may take starts anew. */
  begin(): void;
  /**
   * The handler is to stop; its thread is ended when it has not within the grace. `answer` counts,
   * whatever the handler gives. False when it was stopped or answered before.
   */
  stop(answer: ToolOutput, graceMs: number): boolean;
  /** The first answer counts. */
  answer(output: ToolOutput): void;
  isAnswered(): boolean;
}

export interface Interruption {
  readonly ifRunning: ToolOutput;
  readonly ifWaiting: ToolOutput;
}

export interface PooledCallOptions {
  readonly id: number;
  readonly call: PoolCall;
  /** The call is to end: its time is over, or its caller left. */
  interrupt(pooled: PooledCall, interruption: Interruption): void;
  onAnswer(output: ToolOutput): void;
}

export function createPooledCall({id, call, interrupt, onAnswer}: PooledCallOptions): PooledCall {
  const {signal, timeoutMs} = call;
  const cancel = (): void => interrupt(pooled, cancelled);
  let timer = setTimeout(() => interrupt(pooled, timedOut(timeoutMs)), timeoutMs);
  let answered = false;
  let stopped: ToolOutput | undefined;
  if (signal !== undefined) {
    // A caller may give one signal to all its calls; their number is bounded by the line, so it is no leak.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', cancel);
  }

  const pooled: PooledCall = {
    id,
    call,
    batch: undefined,
    begin() {
      if (!answered && stopped === undefined) timer.refresh();
    },
    stop(answer, graceMs) {
      if (answered || stopped !== undefined) return false;
      stopped = answer;
      clearTimeout(timer);
      timer = setTimeout(() => pooled.batch?.kill.emit('abort'), graceMs);
      return true;
    },
    answer(output) {
      if (answered) return;
      answered = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      onAnswer(stopped ?? output);
    },
    isAnswered: () => answered,
  };
  return pooled;
}

function timedOut(timeoutMs: number): Interruption {
  return {
    ifRunning: failedOutput('TOOL_TIMEOUT', `the tool did not finish within ${timeoutMs} ms`, {timeout_ms: timeoutMs}),
    ifWaiting: busy(`no place became free within ${timeoutMs} ms`),
  };
}

const cancelled: Interruption = {
  ifRunning: failedOutput('TOOL_CANCELLED', 'the call was cancelled'),
  ifWaiting: cancelledBeforeStart(),
};
