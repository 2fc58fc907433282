// One call in the pool, and the answers that end it early.
import type {EventEmitter} from 'node:events';
import type {Invocation, ToolOutput} from '@lumenflow/schemas';
import {onAbort} from '../on-abort.ts';
import {failedOutput} from './failed-output.ts';
import {busy, cancelledBeforeStart} from './refusals.ts';
import type {CallListener} from './switchboard.ts';

export interface PoolCall {
  readonly invocation: Invocation;
  readonly signal?: AbortSignal;
  /** Limits the handler's run, and separately the time in the queue. */
  readonly timeoutMs: number;
  /** Nesting depth of the call; default 0. */
  readonly depth?: number;
  /** Receives the handler's messages in order, all before the call is answered. */
  readonly onMessage: CallListener;
}

/** The calls that were sent to a thread together. */
export interface HandedBatch {
  readonly calls: readonly PooledCall[];
  /** One shared word for each call; undefined for a single call, which begins immediately. */
  readonly states: Int32Array | undefined;
  /** Kills the thread. Passed to Piscina in place of an AbortSignal, because it costs less. */
  readonly kill: EventEmitter;
  /** Called when a call was answered: the thread continues with the next. */
  beginNext(): void;
}

export interface PooledCall {
  readonly id: number;
  readonly call: PoolCall;
  /** The batch in which it was sent to a thread; undefined while it is queued. */
  batch: HandedBatch | undefined;
  /** Called when its handler begins: the timeout restarts. */
  begin(): void;
  /**
   * Stops the handler; its thread is killed if it does not stop within the grace period. `answer` becomes the result, whatever
   * the handler returns. Returns false when the call was stopped or answered before.
   */
  stop(answer: ToolOutput, graceMs: number): boolean;
  /** Only the first answer counts. */
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
  /** Ends the call after a timeout or a cancel. */
  interrupt(pooled: PooledCall, interruption: Interruption): void;
  onAnswer(output: ToolOutput): void;
}

export function createPooledCall({id, call, interrupt, onAnswer}: PooledCallOptions): PooledCall {
  const {signal, timeoutMs} = call;
  let timer = setTimeout(() => interrupt(pooled, timedOut(timeoutMs)), timeoutMs);
  let answered = false;
  let stopped: ToolOutput | undefined;
  const endWatch = signal && onAbort(signal, () => interrupt(pooled, cancelled));

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
      endWatch?.();
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
