// What passes between the host and an isolate's thread. Requests and answers go over a port; two counters in shared
// memory let both sides wait for the other without an event loop, since a policy is asked synchronously.
import type {MessagePort} from 'node:worker_threads';
import type {QuickJsLimits} from './quickjs-isolate.ts';

export interface IsolateStart {
  readonly limits: QuickJsLimits;
  /** Two Int32: turns asked, turns answered. */
  readonly turns: Int32Array;
  readonly port: MessagePort;
}

export const askedTurns = 0;
export const answeredTurns = 1;

export interface IsolateQuestion {
  readonly turn: number;
  readonly index: number;
  readonly contextJson: string;
}

/** Sent to an engine that is ready. */
export interface IsolateLoad {
  readonly source: string;
  readonly configJson: string;
}

/** The first answer is of the load: what the factories made. Later ones are of `when`. */
export type IsolateAnswer<T> = {readonly value: T} | {readonly error: string};

/** Of a question, with its turn: an answer never passes for that of another question. */
export type NumberedAnswer = IsolateAnswer<boolean> & {readonly turn: number};

/** Sent by the thread once its engine can load a pack's code. */
export interface EngineReady {
  /** Tells how long the thread was at work. */
  readonly clock: string | undefined;
}
