// Calls handed to a thread together when many wait, since waking a thread costs more than a short call.
// The thread runs them one after the other. Host and thread share a word for each call: whoever changes
// it first has the call, so one that has not begun can be taken back, and none runs twice.
import {EventEmitter} from 'node:events';
import type {Invocation, ToolOutput} from '@lumenflow/schemas';
import type {HandedBatch, PooledCall} from './pooled-call.ts';
import type {ThreadCallTask, ThreadTask} from './thread-message.ts';

const pending = 0;
const begun = 1;
const withdrawn = 2;

export interface ThreadBatch extends HandedBatch {
  /** What the thread gets; the text of its calls alone when there are no states. */
  task(): ThreadTask | string;
  /** The call that the thread runs, or will next; undefined when all are answered. */
  current(): PooledCall | undefined;
  /** Whether calls wait behind the one that runs. */
  hasWaiting(): boolean;
  /** Gives the calls that have not begun: the thread will not run them. */
  takeBack(): readonly PooledCall[];
  /** The thread has ended: answers the call that ran, and gives those that had not begun. */
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
      // The first counts as begun even if it was not: a thread that cannot start must not be tried without end.
      const unbegun = calls.slice(1).filter((pooled) => pooled.batch === batch && withdrawCall(pooled));
      for (const pooled of unbegun) pooled.batch = undefined;
      return unbegun;
    },
    abandon(answer) {
      const unbegun = batch.takeBack();
      // Of those that began, only the one that ran has no answer yet.
      for (const pooled of calls) if (pooled.batch === batch) pooled.answer(answer);
      return unbegun;
    },
  };
  for (const pooled of calls) pooled.batch = batch;
  calls[0]?.begin();
  return batch;
}

type Fields = Readonly<Record<string, unknown>>;

/** Calls that wait together are mostly of one tool and task: only what differs from the call before is spelt out. */
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

/** For the thread: the calls of a text, each with the whole of its invocation. */
export function readTasks(text: string): readonly {readonly call: number; readonly invocation: Invocation}[] {
  let invocation: Invocation | undefined;
  return (JSON.parse(text) as readonly ThreadCallTask[]).map((task) => {
    invocation = 'invocation' in task ? task.invocation : (Object.assign({...invocation}, task.changed) as Invocation);
    return {call: task.call, invocation};
  });
}

/** For the thread: whether the call at `index` is its to run. */
export function beginCall(states: Int32Array | undefined, index: number): boolean {
  return states === undefined || Atomics.compareExchange(states, index, pending, begun) === pending;
}

/** For the host: whether the call had not begun; then the thread will not run it. */
export function withdrawCall(pooled: PooledCall): boolean {
  const {batch} = pooled;
  if (batch?.states === undefined) return false;
  const index = batch.calls.indexOf(pooled);
  return Atomics.compareExchange(batch.states, index, pending, withdrawn) === pending;
}
