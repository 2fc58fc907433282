// The streams of a container as named pipes in a folder that is mounted into it. They do not go through the engine, which would
// add its own protocol and log them.
import {chmodSync, closeSync, constants, openSync} from 'node:fs';
import {Socket} from 'node:net';
import {join} from 'node:path';
import {Duplex, type Readable} from 'node:stream';
import type {CommandExecutor} from '../commands/command-executor.ts';
import {refHandles} from '../commands/ref-handles.ts';

export interface WirePipes {
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly wire: Duplex | undefined;
  /** Whether something has arrived over the wire. */
  hasBegun(): boolean;
  /** Nothing writes to them any more: their readers get what is left, and then the end. */
  end(): void;
  /** Ends them although something may still write to them. What was not read is lost. */
  cut(): void;
  /** Whether this process stays alive for them; true at first. */
  keepAlive(on: boolean): void;
}

/** As the shell inside opens them. */
export const pipeNames = {stdout: 'stdout', stderr: 'stderr', fromHost: 'from-host', toHost: 'to-host'} as const;

export interface PipesInput {
  /** Exists and is empty. */
  readonly folder: string;
  readonly withWire: boolean;
  readonly executor: CommandExecutor;
}

/** Throws if the machine cannot make them. */
export async function makeWirePipes({folder, withWire, executor}: PipesInput): Promise<WirePipes> {
  const path = (name: keyof typeof pipeNames): string => join(folder, pipeNames[name]);
  const names = ['stdout', 'stderr', ...(withWire ? (['fromHost', 'toHost'] as const) : [])] as const;
  await executor.run({
    command: '/usr/bin/mkfifo',
    args: ['-m', '600', ...names.map(path)],
    cwd: '/',
    env: {},
    outputSink: {kind: 'capture', maxBytes: 4000},
  });
  const kept: number[] = [];
  const reader = (name: keyof typeof pipeNames): Socket => {
    const fd = openSync(path(name), constants.O_RDONLY | constants.O_NONBLOCK);
    // Until the container has opened its end, a pipe without a writer would be at its end.
    kept.push(openSync(path(name), constants.O_WRONLY | constants.O_NONBLOCK));
    return new Socket({fd, readable: true, writable: false});
  };
  const [stdout, stderr] = [reader('stdout'), reader('stderr')];
  const toHost = withWire ? reader('toHost') : undefined;
  const fromHost = withWire ? writer(path('fromHost')) : undefined;
  const wire =
    toHost &&
    fromHost &&
    joined(
      toHost,
      fromHost,
      onceOpen(toHost, () => lockPipes([path('toHost'), path('fromHost')])),
    );
  const end = (): void => {
    for (const each of kept.splice(0)) closeSync(each);
  };
  return {
    stdout,
    stderr,
    wire,
    hasBegun: () => toHost !== undefined && toHost.bytesRead > 0,
    end,
    cut() {
      end();
      for (const stream of [stdout, stderr, wire]) stream?.destroy();
    },
    keepAlive: (on) => refHandles([stdout, stderr, toHost, fromHost], on),
  };
}

/** Open for reading too, since the container has not opened its end yet. Once the host has ended, the runner reads the end. */
function writer(path: string): Socket {
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  return new Socket({fd, readable: false, writable: true});
}

/** The runner announces itself once it has opened its ends. */
async function onceOpen(toHost: Socket, lock: () => void): Promise<void> {
  await new Promise<void>((resolve) => toHost.once('data', () => resolve()));
  lock();
}

/** Both ends are open now. A program of the handler could open the wire a second time. */
function lockPipes(paths: readonly string[]): void {
  for (const path of paths) chmodSync(path, 0);
}

/** One stream of the two, which ends with the first. It sends nothing, and so starts no handler, before the pipes are locked. */
function joined(input: Socket, output: Socket, locked: Promise<void>): Duplex {
  const both = new Duplex({
    read: () => void input.resume(),
    write: (chunk, encoding, callback) =>
      void locked.then(() => output.write(chunk as Uint8Array, encoding, callback), callback),
    destroy(error, callback) {
      input.destroy();
      output.destroy();
      callback(error);
    },
  });
  input.on('data', (chunk: Buffer) => {
    if (!both.push(chunk)) input.pause();
  });
  input.once('end', () => both.push(null));
  both.once('end', () => both.destroy());
  // The folder of a call that has ended is gone.
  locked.catch(() => both.destroy());
  for (const part of [input, output]) part.once('error', () => both.destroy());
  return both;
}
