// Calls sent to a thread together when many wait, because waking a thread costs more than a short call. The thread runs them in
// sequence. Host and thread share a word for each call, and the first to change it owns the call. So the host can take back a
// call that has not begun, and no call runs twice.
import {EventEmitter} from 'node:events';
import type {Invocation, ToolOutput} from '@lumenflow/schemas';
import type {HandedBatch, PooledCall} from './pooled-call.ts';
import type {ThreadCallTask, ThreadTask} from './thread-message.ts';

const pending = 0;
const begun = 1;
const withdrawn = 2;

export interface ThreadBatch extends HandedBatch {
  /** The task for the thread; only the text of its calls when there are no shared states. */
  task(): ThreadTask | string;
  /** The call that the thread runs now or next; undefined when all are answered. */
  current(): PooledCall | undefined;
  /** Whether calls wait behind the one that runs. */
  hasWaiting(): boolean;
  /** Takes back and returns the calls that have not begun: the thread will not run them. */
  takeBack(): readonly PooledCall[];
  /** Called when the thread has ended: answers the call that ran, and returns the calls that had not begun. */
  abandon(answer: ToolOutput): readonly PooledCall[];
}

export function createThreadBatch(calls: readonly PooledCall[]): ThreadBatch {
  const size = calls.length * Int32Array.BYTES_PER_ELEMENT;
  const states = calls.length === 1 ? undefined : new Int32Array(new SharedArrayBuffer(size));
  let at = 0;
  const batch: ThreadBatch = {
    calls,
    states,
    kill: new EventEmitter(),
    task() {
      const text = JSON.stringify(calls.map((pooled, at) => taskOf(pooled, calls[at - 1])));
      return states === undefined ? text : {calls: text, states};
    },
    current() {
      for (; at < calls.length; at += 1) {
        const pooled = calls[at];
        if (pooled?.batch === batch && !pooled.isAnswered()) return pooled;
      }
      return undefined;
    },
    beginNext: () => batch.current()?.begin(),
    hasWaiting: () => states?.includes(pending) ?? false,
    takeBack() {
      // The first call counts as begun even if it was not, so that a thread that cannot start is not retried forever.
      const unbegun = calls.slice(1).filter((pooled) => pooled.batch === batch && withdrawCall(pooled));
      for (const pooled of unbegun) pooled.batch = undefined;
      return unbegun;
    },
    abandon(answer) {
      const unbegun = batch.takeBack();
      // Of the calls that began, only the one that ran has no answer yet.
      for (const pooled of calls) if (pooled.batch === batch) pooled.answer(answer);
      return unbegun;
    },
  };
  for (const pooled of calls) pooled.batch = batch;
  calls[0]?.begin();
  return batch;
}

type Fields = Readonly<Record<string, unknown>>;

/** Calls in a batch usually share a tool and a task, so only the differences from the previous call are encoded. */
function taskOf({id, call: {invocation}}: PooledCall, before: PooledCall | undefined): ThreadCallTask {
  if (before === undefined) return {call: id, invocation};
  const [now, earlier] = [invocation as object as Fields, before.call.invocation as object as Fields];
  const changed: Record<string, unknown> = {};
  for (const key in earlier) {
    if (!(key in now)) return {call: id, invocation};
    if (now[key] !== earlier[key]) changed[key] = now[key];
  }
  return {call: id, changed};
}

/** For the thread: decodes the calls of a text, each with its complete invocation. */
export function readTasks(text: string): readonly {readonly call: number; readonly invocation: Invocation}[] {
  let invocation: Invocation | undefined;
  return (JSON.parse(text) as readonly ThreadCallTask[]).map((task) => {
    invocation = 'invocation' in task ? task.invocation : (Object.assign({...invocation}, task.changed) as Invocation);
    return {call: task.call, invocation};
  });
}

/** For the thread: claims the call at `index`; returns whether it may run it. */
export function beginCall(states: Int32Array | undefined, index: number): boolean {
  return states === undefined || Atomics.compareExchange(states, index, pending, begun) === pending;
}

/** For the host: takes the call back; returns whether it had not begun. */
export function withdrawCall(pooled: PooledCall): boolean {
  const {batch} = pooled;
  if (batch?.states === undefined) return false;
  const index = batch.calls.indexOf(pooled);
  return Atomics.compareExchange(batch.states, index, pending, withdrawn) === pending;
}
