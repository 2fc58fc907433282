// The messages between the host and an isolate's thread. Requests and answers use a port. Two counters in shared memory let each
// side wait without an event loop, because policy evaluation is synchronous.
import type {Outcome} from '@lumenflow/kernel';
import type {MessagePort} from 'node:worker_threads';
import type {QuickJsLimits} from './quickjs-isolate.ts';

export interface IsolateStart {
  readonly limits: QuickJsLimits;
  /** Two Int32 counters: questions asked, questions answered. */
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

/** The first answer reports the load and contains the factories' results. Later answers are for `when`. */
export type IsolateAnswer<T> = Outcome<T, string>;

/** Contains the question's turn, so that an answer cannot be matched with another question. */
export type NumberedAnswer = IsolateAnswer<boolean> & {readonly turn: number};

/** The value that the thread sends once its engine can load a pack's code. */
export interface EngineReady {
  /** Measures the thread's CPU time. */
  readonly clock: string | undefined;
}
