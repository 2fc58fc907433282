// The inner end of a guest: unpacks files, starts the program of the call, and carries its streams.
import type {Readable, Writable} from 'node:stream';
import {setImmediate as turn} from 'node:timers/promises';
import type {RunnerEnd, StartedRunner} from '../../backends/sandbox-backend.ts';
import {sendChanges} from '../../packed-files/send-changes.ts';
import {encodeMessage, frameWriterOf, readFrames, type WriteFrame} from '../guest-channel.ts';
import type {GuestMessage, HostMessage} from '../guest-messages.ts';
import {GuestFiles, type FilesFolders} from './guest-files.ts';

export interface AgentProgram extends Pick<StartedRunner, 'wire' | 'stdout' | 'stderr' | 'meter'> {
  readonly ended: Promise<RunnerEnd>;
  /** Limits that are enforced for the program as a whole. */
  readonly grouped: readonly string[];
  /** Limits that could not be set. */
  readonly unenforced: readonly string[];
}

export interface AgentOptions {
  /** The stream of the host, in both directions. */
  readonly input: AsyncIterable<Uint8Array>;
  readonly output: Writable;
  readonly files: FilesFolders;
  /** Called with what passes over the wire of the program, before it is passed on. */
  readonly observe?: {toProgram(bytes: Uint8Array): void; fromProgram(bytes: Uint8Array): void} | undefined;
  /** For a guest that can continue from a saved one. */
  renew?(message: Extract<HostMessage, {type: 'renew'}>): Promise<void>;
  startProgram(message: Extract<HostMessage, {type: 'start'}>): Promise<AgentProgram>;
}

/** Resolves once the host has closed its stream, or with `failed` once a problem was reported to it: it ends the guest then. */
export async function runAgent({input, ...options}: AgentOptions): Promise<'closed' | 'failed'> {
  const agent = new Agent(options);
  try {
    await agent.begin();
    await readFrames(input, (kind, payload) => agent.take(kind, payload));
    return 'closed';
  } catch (error) {
    await agent.report({type: 'problem', message: String(error)});
    return 'failed';
  }
}

const usageMs = 250;
const nothing = {memoryBytes: 0, peakMemoryBytes: 0, cpuMs: 0, processes: 0, tmpFiles: 0};

class Agent {
  readonly #options: Omit<AgentOptions, 'input'>;
  readonly #write: WriteFrame;
  #files: GuestFiles | undefined;
  #program: AgentProgram | undefined;

  constructor(options: Omit<AgentOptions, 'input'>) {
    this.#options = options;
    this.#write = frameWriterOf(options.output);
  }

  async begin(): Promise<void> {
    await this.report({type: 'up'});
  }

  async report(message: GuestMessage): Promise<void> {
    await this.#write('message', encodeMessage(message));
  }

  async take(kind: string, payload: Buffer): Promise<void> {
    if (kind === 'message') await this.#obey(JSON.parse(payload.toString()) as HostMessage);
    else if (kind === 'content') this.#files?.content(payload);
    else if (kind === 'wire') {
      this.#options.observe?.toProgram(payload);
      this.#program?.wire?.write(payload);
    }
  }

  async #obey(message: HostMessage): Promise<void> {
    switch (message.type) {
      case 'renew':
        return await this.#renew(message);
      case 'open':
        this.#files = new GuestFiles(this.#options.files, message);
        return;
      case 'entry':
        return this.#files?.entry(message.entry);
      case 'entries_end':
        return await this.#files?.settle();
      case 'start':
        return await this.#start(message);
      case 'collect':
        return await this.#collect();
      default:
        throw new Error(`unknown message ${JSON.stringify(message satisfies never)}`);
    }
  }

  async #renew(message: Extract<HostMessage, {type: 'renew'}>): Promise<void> {
    const {renew} = this.#options;
    if (renew === undefined) throw new Error('this guest cannot continue from a saved one');
    await renew(message);
    await this.begin();
  }

  async #start(message: Extract<HostMessage, {type: 'start'}>): Promise<void> {
    this.#files?.begin();
    const program = await this.#options.startProgram(message);
    this.#program = program;
    const {wire, stdout, stderr, ended, unenforced, grouped} = program;
    await this.report({type: 'started', grouped, unenforced});
    const streams = Promise.all([
      this.#carry('wire', wire),
      this.#carry('stdout', stdout),
      this.#carry('stderr', stderr),
    ]);
    const timer = setInterval(() => void this.#reportUsage(), usageMs);
    void ended.finally(() => clearInterval(timer)).then((end) => this.#reportEnd(end, streams));
  }

  async #carry(kind: 'wire' | 'stdout' | 'stderr', stream: Readable | undefined): Promise<void> {
    if (stream === undefined) return;
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        if (kind === 'wire') {
          await printed();
          this.#options.observe?.fromProgram(chunk);
        }
        await this.#write(kind, chunk);
      }
    } catch {
      // The program has closed it, or has ended.
    }
  }

  /** After all that the program has printed. */
  async #reportEnd({exitCode, signal, startError}: RunnerEnd, streams: Promise<unknown>): Promise<void> {
    await streams;
    await this.#reportUsage();
    await this.report({type: 'ended', exitCode, ...(signal && {signal}), ...(startError && {startError})});
  }

  async #reportUsage(): Promise<void> {
    const meter = this.#program?.meter;
    const usage = meter?.read();
    const ranOutOfMemory = meter?.ranOutOfMemory() === true;
    if (usage !== undefined || ranOutOfMemory) {
      await this.report({type: 'usage', usage: usage ?? nothing, ranOutOfMemory});
    }
  }

  async #collect(): Promise<void> {
    await sendChanges(this.#files?.changes() ?? [], {
      entry: (entry) => this.report({type: 'entry', entry}),
      content: (bytes) => this.#write('content', bytes),
    });
    await this.#reportUsage();
    await this.report({type: 'collected'});
  }
}

/** What the program printed before is in its pipes, but perhaps not in the same batch of events: it comes first. */
async function printed(): Promise<void> {
  await turn();
  await turn();
}
