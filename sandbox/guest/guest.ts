// A guest as its host sees it: what it has reported, and the streams of its program.
import type {Duplex} from 'node:stream';
import type {RunnerEnd} from '../backends/sandbox-backend.ts';
import type {Meter, Usage} from '../limits/meter.ts';
import type {GuestFilesSync} from './guest-files-sync.ts';
import {openGuestLink, type GuestLink} from './guest-link.ts';
import type {GuestMessage} from './guest-messages.ts';
import {GuestWire} from './guest-wire.ts';

/** How far a guest has come, by what its agent reported. */
export type StartStage = 'booting' | 'receiving' | 'starting';

type Report<Type extends GuestMessage['type']> = Extract<GuestMessage, {type: Type}>;

export interface GuestOptions {
  readonly port: Duplex;
  /** For messages, such as `the virtual machine`. */
  readonly name: string;
  readonly sync: GuestFilesSync;
  /** Whether the program waits for its call, before which files may change. */
  readonly isSpare: boolean;
  /** Ends the guest. */
  kill(): void;
}

export class Guest {
  readonly link: GuestLink;
  readonly wire: GuestWire;
  readonly meter: Meter;
  /** Why the guest was ended, if it violated the protocol. */
  problem: string | undefined;
  /** How its program ended, if the guest reported it. */
  programEnd: RunnerEnd | undefined;
  stage: StartStage = 'booting';
  readonly #options: GuestOptions;
  readonly #reported = new Map<GuestMessage['type'] | 'wire', PromiseWithResolvers<unknown>>();
  #usage: Usage | undefined;
  #ranOutOfMemory = false;

  constructor(options: GuestOptions) {
    const {port, sync, isSpare} = options;
    this.#options = options;
    this.meter = {read: () => this.#usage, ranOutOfMemory: () => this.#ranOutOfMemory};
    this.wire = new GuestWire({
      bringsInFirst: isSpare,
      send: (bytes) => this.link.write('wire', bytes),
      bringIn: () => sync.bringIn(this.link),
      bringBack: () => sync.bringBack(this.link),
      fail: (error) => this.#fail(error),
    });
    this.link = openGuestLink(port, {
      message: (message) => this.#take(message),
      content: (bytes) => sync.content(bytes),
      wire: async (bytes) => {
        this.#settle('wire', undefined);
        await this.wire.arrive(bytes);
      },
    });
    void this.link.over.then((problem) => problem !== undefined && this.#fail(problem));
  }

  /** Resolves once the guest has reported it. */
  async reported<Type extends GuestMessage['type']>(type: Type): Promise<Report<Type>> {
    return (await this.#promised(type).promise) as Report<Type>;
  }

  /** Resolves with the first bytes of the program's wire. */
  async hasSpoken(): Promise<void> {
    await this.#promised('wire').promise;
  }

  /** The guest has ended. */
  end(): void {
    this.wire.cut();
    for (const stream of [this.link.stdout, this.link.stderr]) stream.end();
  }

  #take(message: GuestMessage): void {
    const {sync} = this.#options;
    if (message.type === 'up') this.stage = 'receiving';
    else if (message.type === 'started') this.stage = 'starting';
    else if (message.type === 'entry') sync.entry(message.entry);
    else if (message.type === 'collected') sync.collected();
    else if (message.type === 'problem') this.#fail(message.message);
    else if (message.type === 'usage') {
      if (!isUsage(message.usage)) throw new RangeError('it reported an invalid usage');
      this.#usage = message.usage;
      this.#ranOutOfMemory ||= message.ranOutOfMemory;
    } else if (message.type === 'ended') void this.#endProgram(message);
    this.#settle(message.type, message);
  }

  async #endProgram({exitCode, signal, startError}: Report<'ended'>): Promise<void> {
    if (!Number.isInteger(exitCode)) return this.#fail('it reported an invalid exit code');
    this.programEnd = {exitCode, ...(signal && {signal}), ...(startError && {startError})};
    await this.wire.finish();
    this.#options.kill();
  }

  #fail(error: unknown): void {
    this.problem ??= error instanceof Error ? error.message : String(error);
    const {stderr} = this.link;
    if (!stderr.writableEnded) stderr.write(`lumenflow: ${this.#options.name} was ended: ${this.problem}\n`);
    this.#options.kill();
  }

  #promised(type: GuestMessage['type'] | 'wire'): PromiseWithResolvers<unknown> {
    const known = this.#reported.get(type) ?? withResolvers();
    this.#reported.set(type, known);
    return known;
  }

  #settle(type: GuestMessage['type'] | 'wire', value: unknown): void {
    this.#promised(type).resolve(value);
  }
}

/** It becomes part of a receipt. */
function isUsage(usage: Usage): boolean {
  const {memoryBytes, peakMemoryBytes, cpuMs, processes, tmpFiles} = usage;
  return [memoryBytes, peakMemoryBytes, cpuMs, processes, tmpFiles].every(
    (figure) => Number.isFinite(figure) && figure >= 0,
  );
}

interface PromiseWithResolvers<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
}

function withResolvers(): PromiseWithResolvers<unknown> {
  let resolve: (value: unknown) => void = () => undefined;
  const promise = new Promise<unknown>((settle) => (resolve = settle));
  return {promise, resolve};
}
