// The thread's end of the wire. It blocks while it waits: a module calls the host as it calls a function.
import {receiveMessageOnPort} from 'node:worker_threads';
import {createFrameDecoder, encodeFrame} from '@lumenflow/pack-sdk/wire';
import type {WireMessage} from '@lumenflow/schemas';
import {
  pendingMax,
  slots,
  type CallOver,
  type FromThread,
  type ThreadData,
  type ThreadLimits,
  type ToThread,
} from '../thread-messages.ts';

export class BlockingWire {
  readonly #port: ThreadData['port'];
  readonly #shared: ThreadData['shared'];
  #arrived: WireMessage[] = [];
  #decode: ReturnType<typeof createFrameDecoder> = () => undefined;

  constructor({port, shared}: ThreadData) {
    this.#port = port;
    this.#shared = shared;
  }

  /** Waits for the next call, and forgets the last one. */
  start(): ThreadLimits {
    this.#arrived = [];
    this.#decode = createFrameDecoder({
      onMessage: (message) => this.#arrived.push(message),
      onProblem: (problem) => {
        throw new Error(problem);
      },
    });
    for (;;) {
      const message = this.#next();
      if (message.kind === 'start') return message.limits;
    }
  }

  receive(): WireMessage {
    for (;;) {
      const message = this.#arrived.shift();
      if (message !== undefined) return message;
      this.#take(this.#next());
    }
  }

  /** What has arrived, without waiting. */
  poll(): WireMessage | undefined {
    for (let message = this.#received(); message !== undefined; message = this.#received()) this.#take(message);
    return this.#arrived.shift();
  }

  /** Throws RangeError when the message is too large for a frame. `over`: it is the last one of the call. */
  send(message: WireMessage, over?: CallOver): void {
    this.post({kind: 'wire', bytes: encodeFrame(message), over});
  }

  /** Waits until the host is not too far behind: otherwise messages would fill its memory. */
  post(message: FromThread): void {
    for (let behind = this.#pending(); behind > pendingMax; behind = this.#pending()) {
      Atomics.wait(this.#shared, slots.pending, behind);
    }
    Atomics.add(this.#shared, slots.pending, message.bytes.length);
    // A copy, since a part of a buffer would be sent with all of it.
    const bytes = new Uint8Array(message.bytes);
    this.#port.postMessage({...message, bytes}, [bytes.buffer]);
  }

  #pending(): number {
    return Atomics.load(this.#shared, slots.pending);
  }

  #take(message: ToThread): void {
    if (message.kind === 'wire') this.#decode(message.bytes);
  }

  #next(): ToThread {
    for (;;) {
      const sent = Atomics.load(this.#shared, slots.sent);
      const message = this.#received();
      if (message !== undefined) return message;
      Atomics.wait(this.#shared, slots.sent, sent);
    }
  }

  #received(): ToThread | undefined {
    return receiveMessageOnPort(this.#port)?.message as ToThread | undefined;
  }
}
