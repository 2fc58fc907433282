// The host's ends of the threads' ports. Routes each message to its call.
import {receiveMessageOnPort, type MessagePort} from 'node:worker_threads';
import type {ToolOutput, WireMessage} from '@lumenflow/schemas';
import type {CallMessage, ContentTaken, ThreadHello} from './thread-message.ts';

/** Resolves once the handler has consumed the answer. `content` becomes the base64 value of a response. */
export type Reply = (message: WireMessage, content?: Uint8Array) => Promise<void>;
export type CallListener = (message: WireMessage, reply: Reply) => void;

export interface Switchboard {
  /** Registers a new thread's port. */
  connect(hello: ThreadHello): void;
  isConnected(threadId: number): boolean;
  /** Tells the call's handler to stop, and which answer will end its call. */
  cancel(call: number, answer: ToolOutput): void;
  /** The call was answered. */
  forget(call: number): void;
  /**
   * Immediately delivers everything that the thread, or every thread, has sent, because a result on its own port can overtake
   * it.
   */
  drain(threadId?: number): void;
}

/** `listenerOf` returns a call's message listener; messages of a call without a listener are dropped. */
export function createSwitchboard(listenerOf: (call: number) => CallListener | undefined): Switchboard {
  const ports = new Map<number, MessagePort>();
  const cancelled = new Map<number, CallMessage>();

  /** By call: callbacks that wait until the thread has consumed a content. */
  const untaken = new Map<number, (() => void)[]>();

  function receive(port: MessagePort, received: CallMessage | ContentTaken): void {
    const {call} = received;
    if ('taken' in received) return untaken.get(call)?.shift()?.();
    return listenerOf(call)?.(received.message, async (answer, content) => {
      if (content === undefined || answer.type !== 'response') return port.postMessage({call, message: answer});
      const value = {content_base64: Buffer.from(content).toString('base64')};
      port.postMessage({call, message: {...answer, value}});
      // A thread's port is unbounded, so a message counts as pending until the thread has processed it.
      return await new Promise<void>((taken) => untaken.set(call, [...(untaken.get(call) ?? []), taken]));
    });
  }

  function drainPort(port: MessagePort): void {
    for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) {
      receive(port, next.message as CallMessage | ContentTaken);
    }
  }

  return {
    connect({thread_id, port}) {
      ports.set(thread_id, port);
      port.on('message', (received: CallMessage | ContentTaken) => {
        receive(port, received);
        // Deliver the accompanying messages in the same turn, so that calls that end together are recorded together.
        drainPort(port);
      });
      port.on('close', () => ports.delete(thread_id));
      // Piscina keeps the process alive while a call runs; an idle thread must not.
      port.unref();
      port.postMessage(null);
      // A call may have been cancelled while its thread was starting.
      for (const message of cancelled.values()) port.postMessage(message);
    },
    isConnected: (threadId) => ports.has(threadId),
    cancel(call, answer) {
      const message: CallMessage = {call, message: {type: 'cancel', reason: answer.error?.message ?? ''}};
      cancelled.set(call, message);
      // Piscina chooses the thread that runs the call; the others ignore the message.
      for (const port of ports.values()) port.postMessage(message);
    },
    forget(call) {
      cancelled.delete(call);
      for (const taken of untaken.get(call) ?? []) taken();
      untaken.delete(call);
    },
    drain(threadId) {
      const port = threadId === undefined ? undefined : ports.get(threadId);
      for (const each of port === undefined ? ports.values() : [port]) drainPort(each);
    },
  };
}
