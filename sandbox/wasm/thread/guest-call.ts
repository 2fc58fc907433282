// One call of a module: what its host functions share.
import type {Invocation, RequestMethod, WireMessage, WireResponse} from '@lumenflow/schemas';
import {slots, type ThreadData, type ThreadLimits} from '../thread-messages.ts';
import type {BlockingWire} from './blocking-wire.ts';
import {GuestFault} from './guest-end.ts';
import type {GuestMemory} from './guest-memory.ts';

export interface GuestFailure {
  readonly code: string;
  readonly message: string;
}

export class GuestCall {
  readonly invocation: Invocation;
  readonly limits: ThreadLimits;
  readonly input: Uint8Array;
  /** As the module wrote it, not yet parsed. */
  output: string | undefined;
  failure: GuestFailure | undefined;
  readonly #wire: BlockingWire;
  readonly #shared: ThreadData['shared'];
  readonly #printed = {stdout: 0, stderr: 0};
  #memory: GuestMemory | undefined;
  #lastId = 0;
  #isCancelled = false;

  constructor(
    invocation: Invocation,
    limits: ThreadLimits,
    {wire, shared}: {wire: BlockingWire; shared: ThreadData['shared']},
  ) {
    this.invocation = invocation;
    this.limits = limits;
    this.input = Buffer.from(JSON.stringify(invocation.input ?? null));
    this.#wire = wire;
    this.#shared = shared;
  }

  get memory(): GuestMemory {
    if (this.#memory === undefined) throw new GuestFault('it called a host function while it was being instantiated');
    this.noteMemory();
    return this.#memory;
  }

  set memory(memory: GuestMemory) {
    this.#memory = memory;
    this.noteMemory();
  }

  /** Makes the size of the memory known to the host, which cannot look while the module runs. */
  noteMemory(): void {
    Atomics.store(this.#shared, slots.pages, (this.#memory?.size ?? 0) / 65_536);
  }

  /** Whether less is left than a program asks for at a time. */
  get isMemoryFull(): boolean {
    return (this.#memory?.size ?? 0) >= this.limits.memoryBytes * 0.75;
  }

  send(message: WireMessage): void {
    this.#wire.send(message);
  }

  /** Waits for the answer of the host. */
  request(method: RequestMethod, params: Record<string, unknown>): WireResponse {
    const id = ++this.#lastId;
    this.#wire.send({type: 'request', id, method, params});
    for (;;) {
      const message = this.#wire.receive();
      this.#note(message);
      if (message.type === 'response' && message.id === id) return message;
    }
  }

  isCancelled(): boolean {
    for (let message = this.#wire.poll(); message !== undefined; message = this.#wire.poll()) this.#note(message);
    return this.#isCancelled;
  }

  /** Drops what exceeds the limit: the host would drop it as well. */
  print(stream: 'stdout' | 'stderr', bytes: Uint8Array): void {
    // One more byte shows the host that something was cut.
    const room = this.limits.outputBytes + 1 - this.#printed[stream];
    if (room <= 0 || bytes.length === 0) return;
    const part = bytes.subarray(0, room);
    this.#printed[stream] += part.length;
    this.#wire.post({kind: stream, bytes: part});
  }

  #note(message: WireMessage): void {
    if (message.type === 'cancel') this.#isCancelled = true;
  }
}
