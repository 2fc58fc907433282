// The agent of a guest, its first process after the drivers: unpacks files, starts the program of the call, and carries its
// streams. The guest ends with the agent, and the machine with the guest.
import {createReadStream, createWriteStream} from 'node:fs';
import {setImmediate as turn} from 'node:timers/promises';
import type {Readable} from 'node:stream';
import {sendChanges} from '../../packed-files/send-changes.ts';
import {encodeMessage, frameWriterOf, readFrames} from '../guest-channel.ts';
import type {GuestMessage, HostMessage} from '../guest-messages.ts';
import {streamFd} from '../guest-system/first-program.ts';
import {GuestFiles} from './guest-files.ts';
import {startProgram, type StartedProgram} from './start-program.ts';

const usageMs = 250;
const write = frameWriterOf(createWriteStream('', {fd: streamFd, autoClose: false}));
let files: GuestFiles | undefined;
let program: StartedProgram | undefined;

async function say(message: GuestMessage): Promise<void> {
  await write('message', encodeMessage(message));
}

async function carry(kind: 'wire' | 'stdout' | 'stderr', stream: Readable | undefined): Promise<void> {
  if (stream === undefined) return;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) await write(kind, chunk);
  } catch {
    // The program has closed it, or has ended.
  }
}

async function start(message: Extract<HostMessage, {type: 'start'}>): Promise<void> {
  files?.begin();
  program = await startProgram(message);
  const {wire, stdout, stderr, ended, unenforced, grouped} = program;
  await say({type: 'started', grouped, unenforced});
  const streams = Promise.all([carry('wire', wire), carry('stdout', stdout), carry('stderr', stderr)]);
  const timer = setInterval(() => void reportUsage(), usageMs);
  void ended.finally(() => clearInterval(timer)).then((end) => reportEnd(end, streams));
}

/** After all that the program has printed. */
async function reportEnd(
  {exitCode, signal, startError}: Awaited<StartedProgram['ended']>,
  streams: Promise<unknown>,
): Promise<void> {
  await streams;
  await reportUsage();
  await say({type: 'ended', exitCode, ...(signal && {signal}), ...(startError && {startError})});
}

async function reportUsage(): Promise<void> {
  const usage = program?.meter?.read();
  const ranOutOfMemory = program?.meter?.ranOutOfMemory() === true;
  if (usage !== undefined || ranOutOfMemory) {
    await say({type: 'usage', usage: usage ?? nothing, ranOutOfMemory});
  }
}

const nothing = {memoryBytes: 0, peakMemoryBytes: 0, cpuMs: 0, processes: 0, tmpFiles: 0};

/** What the program printed before comes first. */
async function collect(): Promise<void> {
  await turn();
  await turn();
  await sendChanges(files?.changes() ?? [], {
    entry: (entry) => say({type: 'entry', entry}),
    content: (bytes) => write('content', bytes),
  });
  await reportUsage();
  await say({type: 'collected'});
}

async function obey(message: HostMessage): Promise<void> {
  switch (message.type) {
    case 'open':
      files = new GuestFiles(message);
      return;
    case 'entry':
      return files?.entry(message.entry);
    case 'entries_end':
      return await files?.settle();
    case 'start':
      return await start(message);
    case 'collect':
      return await collect();
    default:
      throw new Error(`unknown message ${JSON.stringify(message satisfies never)}`);
  }
}

async function serve(): Promise<void> {
  await say({type: 'up'});
  await readFrames(
    createReadStream('', {fd: streamFd, autoClose: false, highWaterMark: 256 * 1024}),
    async (kind, payload) => {
      if (kind === 'message') await obey(JSON.parse(payload.toString()) as HostMessage);
      else if (kind === 'content') files?.content(payload);
      else if (kind === 'wire') program?.wire?.write(payload);
    },
  );
}

serve().then(
  // Its host has closed the stream, or was killed.
  () => process.exit(),
  async (error: unknown) => await say({type: 'problem', message: String(error)}),
);
