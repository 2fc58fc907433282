// The messages between the host and a pool thread in addition to Piscina's tasks. Each thread has one port: a channel for each
// call would halve the throughput.
import type {MessagePort} from 'node:worker_threads';
import type {Invocation, ToolOutput, WireMessage} from '@lumenflow/schemas';

/** A thread's first message; the port is the host's end. */
export interface ThreadHello {
  readonly thread_id: number;
  readonly port: MessagePort;
}

/** Both ways: a wire message of one call. */
export interface CallMessage {
  readonly call: number;
  readonly message: WireMessage;
}

/** From a thread: the call's oldest pending content was consumed. */
export interface ContentTaken {
  readonly call: number;
  readonly taken: true;
}

/** A batch as Piscina transfers it. */
export interface ThreadTask {
  /** A list of ThreadCallTask as JSON text, which costs less than a structured clone. */
  readonly calls: string;
  /** Shared: see thread-batch.ts. */
  readonly states: Int32Array;
}

/** The first call of a batch is complete. Every other call contains only its differences from the call before. */
export type ThreadCallTask = {readonly call: number} & (
  | {readonly invocation: Invocation}
  | {readonly changed: Readonly<Record<string, unknown>>}
);

export interface ThreadAnswer {
  readonly thread_id: number;
  /** Duration of the batch in the thread, without the time of thread switches. */
  readonly duration_ms: number;
  /** Result of the batch's last call, if the thread ran it; the other results were sent over the port. */
  readonly output?: ToolOutput;
}
