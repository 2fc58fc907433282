// What the host and a thread for WebAssembly modules exchange. The thread waits for messages without an event loop, so a counter in
// shared memory wakes it.
import type {MessagePort} from 'node:worker_threads';

export interface ThreadData {
  readonly port: MessagePort;
  /** See `slots`. */
  readonly shared: Int32Array<SharedArrayBuffer>;
}

/** Positions in `shared`. */
export const slots = {
  /** Messages that the host has sent, modulo 2^32. */
  sent: 0,
  /** Bytes that the thread has sent and the host has not yet consumed. */
  pending: 1,
  /** The thread's number for the kernel, 0 where that is unknown. */
  threadId: 2,
  /** Pages of the module's memory, as last seen. */
  pages: 3,
  /** Processor time of the thread when its call began; negative before that. */
  cpuMsAtStart: 4,
} as const;

/** A thread that is further ahead of its host waits. */
export const pendingMax: number = 1024 * 1024;

export interface ThreadLimits {
  readonly memoryBytes: number;
  /** Of each stream. */
  readonly outputBytes: number;
  readonly openFiles: number;
  readonly fileSizeBytes: number;
}

export type ToThread =
  | {readonly kind: 'start'; readonly limits: ThreadLimits}
  /** Of the wire. */
  | {readonly kind: 'wire'; readonly bytes: Uint8Array};

export interface FromThread {
  readonly kind: 'wire' | 'stdout' | 'stderr';
  readonly bytes: Uint8Array;
  /** With the result, which is the last message of a call. */
  readonly over?: CallOver | undefined;
}

export interface CallOver {
  /** Whether the thread can serve another call. */
  readonly reusable: boolean;
  /** There is no result, because memory ran out. */
  readonly outOfMemory: boolean;
}
