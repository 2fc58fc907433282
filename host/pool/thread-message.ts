// What the host and a pool thread say to each other beside Piscina's tasks. One port a thread, made
// once: a channel for each call would halve the calls per second.
import type {MessagePort} from 'node:worker_threads';
import type {Invocation, ToolOutput, WireMessage} from '@lumenflow/schemas';

/** A thread's first words; the port is the host's end. */
export interface ThreadHello {
  readonly thread_id: number;
  readonly port: MessagePort;
}

/** Both ways: a wire message of one call. */
export interface CallMessage {
  readonly call: number;
  readonly message: WireMessage;
}

/** From a thread: the first content of the call that it had not taken yet was delivered. */
export interface ContentTaken {
  readonly call: number;
  readonly taken: true;
}

/** A batch as Piscina carries it. */
export interface ThreadTask {
  /** A list of ThreadCallTask as JSON text, which costs less than a structured clone. */
  readonly calls: string;
  /** Shared: see thread-batch.ts. */
  readonly states: Int32Array;
}

/** The first call of a batch is whole; of another one only what is not as in the call before it may stand there. */
export type ThreadCallTask = {readonly call: number} & (
  | {readonly invocation: Invocation}
  | {readonly changed: Readonly<Record<string, unknown>>}
);

export interface ThreadAnswer {
  readonly thread_id: number;
  /** Of the batch, as the thread saw it: what else the machine does between two threads is left out. */
  readonly duration_ms: number;
  /** Of the batch's last call, when the thread ran it; the others' results went over the port. */
  readonly output?: ToolOutput;
}
