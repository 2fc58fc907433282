// The stream to an agent on a worker, over requests that can be repeated: a connection that breaks in the middle loses nothing.
import {Duplex} from 'node:stream';
import {setImmediate as nextTurn, setTimeout as wait} from 'node:timers/promises';
import type {WorkerObservation} from '../backends/sandbox-backend.ts';
import type {Outcome} from '../outcome.ts';
import {decodeBatch} from './output-batch.ts';
import type {RequestFailure, WorkerClient, WorkerReply, WorkerRequest} from './worker-client.ts';

export interface RemoteEnd {
  /** Why the worker ended it, if not because its program had ended. */
  readonly problem?: string;
  /** Why it is unknown what happened: the worker is out of contact, or has lost it. */
  readonly lost?: string;
}

export interface RemoteStreamOptions {
  readonly client: WorkerClient;
  /** Of the execution. */
  readonly id: string;
  /** Out of contact for so long, it is lost. */
  readonly lostMs: number;
}

const pollMs = 30_000;
/** Longer than a worker in a container has before the container is stopped. */
const releaseMs = 10_000;
const retryMs = 200;
const partBytesMax = 8 * 1024 ** 2;

export class RemoteStream extends Duplex {
  /** Resolves once nothing more comes. */
  readonly ended: Promise<RemoteEnd>;
  /** What the worker has reported of the call, once its result is there. */
  observed: WorkerObservation = {};
  readonly #options: RemoteStreamOptions;
  readonly #over = new AbortController();
  #settle: (end: RemoteEnd) => void = () => undefined;
  #isEnded = false;
  #parts: Buffer[] = [];
  #isSending = false;
  /** More can still travel with the next request. */
  #isGathering = false;
  /** Of a write during a request. */
  #resume: () => void = () => undefined;
  #sent = 0;
  #read: (() => void) | undefined;

  constructor(options: RemoteStreamOptions) {
    // Each part costs a request: what is written at once travels together.
    super({writableHighWaterMark: partBytesMax, readableHighWaterMark: partBytesMax});
    this.#options = options;
    this.ended = new Promise((resolve) => (this.#settle = resolve));
    void this.#receive();
  }

  /** Ends the execution in any state. A worker that cannot be reached ends it by itself. */
  cancel(): void {
    if (this.#isEnded) return;
    this.#close();
    void this.#release().then(() => this.#settle({}));
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.#add([chunk], done);
  }

  override _writev(chunks: {readonly chunk: Buffer}[], done: () => void): void {
    this.#add(
      chunks.map(({chunk}) => chunk),
      done,
    );
  }

  override _read(): void {
    this.#read?.();
    this.#read = undefined;
  }

  #add(chunks: readonly Buffer[], done: () => void): void {
    this.#parts.push(...chunks);
    if (!this.#isSending) void this.#send();
    if (this.#isGathering) done();
    else this.#resume = done;
  }

  /** One request at a time, each with all that was written before it and in the same turn of the event loop. */
  async #send(): Promise<void> {
    this.#isSending = true;
    while (this.#parts.length > 0 && !this.#isEnded) {
      this.#isGathering = true;
      await nextTurn();
      this.#isGathering = false;
      await this.#sendWhole(Buffer.concat(this.#parts.splice(0)));
      const resume = this.#resume;
      this.#resume = () => undefined;
      resume();
    }
    this.#isSending = false;
  }

  async #sendWhole(whole: Buffer): Promise<void> {
    const {id} = this.#options;
    for (let at = 0; at < whole.length && !this.#isEnded; at += partBytesMax) {
      const number = (this.#sent += 1);
      const path = `/v1/executions/${id}/input?number=${number}`;
      const body = whole.subarray(at, at + partBytesMax);
      await this.#repeat({method: 'POST', path, body, timeoutMs: pollMs, signal: this.#over.signal});
    }
  }

  async #receive(): Promise<void> {
    const {id} = this.#options;
    for (let after = 0; !this.#isEnded;) {
      const path = `/v1/executions/${id}/output?after=${after}`;
      const reply = await this.#repeat({method: 'GET', path, timeoutMs: pollMs, signal: this.#over.signal});
      if (reply === undefined) continue;
      if (reply.status === 204) {
        // A worker waits before it replies so. One that does not is not asked again at once.
        await wait(retryMs);
        continue;
      }
      const batch = decodeBatch(reply.body);
      if (batch === undefined) return this.#end({lost: this.#text('sent output that this host cannot read')});
      if (batch.number !== after + 1) return this.#end({lost: this.#text('sent output in an unexpected order')});
      after = batch.number;
      this.observed = batch.observed ?? this.observed;
      if (batch.bytes.length > 0 && !this.push(batch.bytes))
        await new Promise<void>((resolve) => (this.#read = resolve));
      if (batch.end !== undefined) {
        void this.#release();
        return this.#end(batch.end.problem === undefined ? {} : {problem: batch.end.problem});
      }
    }
  }

  /** The worker ends it, replies once nothing of it runs, and forgets it. */
  async #release(): Promise<void> {
    const {client, id} = this.#options;
    await client.send({method: 'DELETE', path: `/v1/executions/${id}`, timeoutMs: releaseMs});
  }

  /** Until there is a reply, or the execution is lost. */
  async #repeat(request: WorkerRequest): Promise<WorkerReply | undefined> {
    const {client, lostMs} = this.#options;
    const since = performance.now();
    while (!this.#isEnded) {
      const outcome: Outcome<WorkerReply, RequestFailure> = await client.send(request);
      if (outcome.ok) return outcome.value;
      const {isAnswer, message} = outcome.problem;
      if (isAnswer) this.#end({lost: message});
      else if (performance.now() - since > lostMs) this.#end({lost: message});
      else await wait(retryMs);
    }
    return undefined;
  }

  #text(what: string): string {
    return `the worker \`${this.#options.client.address.name}\` ${what}`;
  }

  #end(end: RemoteEnd): void {
    if (this.#isEnded) return;
    this.#close();
    this.#settle(end);
  }

  /** Nothing is sent or received from now on. */
  #close(): void {
    this.#isEnded = true;
    this.#over.abort();
    this.push(null);
    this.destroy();
  }
}
