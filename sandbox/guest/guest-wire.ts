// The wire of a call to its handler in a guest. Before the host receives a request or a result, what the handler wrote is in its
// view. Before the handler receives the answer, what the host changed there is in the guest.
import {Duplex} from 'node:stream';
import {createFrameGate, type FrameGate} from './frame-gate.ts';

export interface GuestWireOptions {
  /** Whether files have to be brought in before the first message. */
  readonly bringsInFirst: boolean;
  send(bytes: Uint8Array): Promise<void>;
  /** Brings what has changed on this side into the guest. */
  bringIn(): Promise<void>;
  /** Brings what the handler wrote to this side. */
  bringBack(): Promise<void>;
  /** A step failed: the call cannot continue. */
  fail(error: unknown): void;
}

/** Requests after which files on this side may differ. */
const writing: ReadonlySet<string | undefined> = new Set(['call_tool', 'fs_write', 'fs_remove']);

export class GuestWire extends Duplex {
  readonly #options: GuestWireOptions;
  readonly #gate: FrameGate;
  readonly #writing = new Set<number>();
  #isFirst: boolean;
  #isOver = false;
  #isFull = false;
  #bringingBack: Promise<void> | undefined;

  constructor(options: GuestWireOptions) {
    super();
    this.#options = options;
    this.#isFirst = options.bringsInFirst;
    this.#gate = createFrameGate({
      pass: (bytes) => {
        if (!this.#isOver) this.#isFull = !this.push(Buffer.from(bytes));
      },
      stop: ({id, method}) => {
        if (id !== undefined && writing.has(method)) this.#writing.add(id);
        this.#bringingBack = options.bringBack().then(() => this.#gate.open(), options.fail);
      },
    });
  }

  /** From the guest. Resolves once more may come. */
  async arrive(bytes: Buffer): Promise<void> {
    if (this.#isOver) return;
    this.#gate.feed(bytes);
    if (this.#isFull) await new Promise<void>((resolve) => this.once('drained', resolve).once('close', resolve));
  }

  /** The program has ended; what it has sent is still delivered. */
  async finish(): Promise<void> {
    await this.#bringingBack;
    this.#end();
  }

  /** What has not been passed on is lost. */
  cut(): void {
    this.#end();
  }

  override _read(): void {
    this.#isFull = false;
    this.emit('drained');
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    void this.#write(chunk, done);
  }

  async #write(chunk: Buffer, done: () => void): Promise<void> {
    try {
      await this.#send(chunk);
      done();
    } catch (error) {
      this.#options.fail(error);
    }
  }

  async #send(chunk: Buffer): Promise<void> {
    if (this.#isFirst || this.#answersWriting(chunk)) {
      this.#isFirst = false;
      await this.#options.bringIn();
    }
    await this.#options.send(chunk);
  }

  #answersWriting(chunk: Buffer): boolean {
    if (this.#writing.size === 0) return false;
    const id = /^\{"type":"response","id":(\d+)/.exec(chunk.toString('latin1', 4, 64))?.[1];
    return id !== undefined && this.#writing.delete(Number(id));
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.push(null);
    this.destroySoon();
  }

  /** Closed once everything was read, as the pipe of a process is. */
  destroySoon(): void {
    if (this.readableEnded || this.readableLength === 0) this.destroy();
    else this.once('end', () => this.destroy());
  }
}
