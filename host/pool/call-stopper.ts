// Ends a running call on timeout, cancel and closing: the handler is told first, and its thread is
// ended when it takes no notice within the grace.
import {EventEmitter} from 'node:events';
import type {ToolOutput} from '@lumenflow/schemas';
import {failedOutput} from './failed-output.ts';

export interface StopperCall {
  readonly signal?: AbortSignal;
  readonly timeoutMs: number;
}

export interface StopperOptions {
  readonly graceMs: number;
  /** Asks the handler to stop. */
  tellHandler(reason: string): void;
}

export interface CallStopper {
  /** Emits `abort` when the thread is to be ended. Piscina takes it for a signal, and it costs less than one. */
  readonly kill: EventEmitter;
  /** The answer to give, whatever the handler gives, once the call was stopped. */
  answer(): ToolOutput | undefined;
  /** The first one counts. */
  stop(answer: ToolOutput): void;
  dispose(): void;
}

export function createCallStopper({signal, timeoutMs}: StopperCall, options: StopperOptions): CallStopper {
  const kill = new EventEmitter();
  let stopped: ToolOutput | undefined;

  function stop(answer: ToolOutput): void {
    if (stopped !== undefined) return;
    stopped = answer;
    clearTimeout(timer);
    timer = setTimeout(() => kill.emit('abort'), options.graceMs);
    options.tellHandler(answer.error?.message ?? '');
  }
  const cancel = (): void => stop(failedOutput('TOOL_CANCELLED', 'the call was cancelled'));

  let timer = setTimeout(() => {
    stop(failedOutput('TOOL_TIMEOUT', `the tool did not finish within ${timeoutMs} ms`, {timeout_ms: timeoutMs}));
  }, timeoutMs);
  signal?.addEventListener('abort', cancel);
  if (signal?.aborted === true) cancel();

  return {
    kill,
    answer: () => stopped,
    stop,
    dispose() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
    },
  };
}
