// Saves a machine that has booted and waits for its host. It has received nothing of any call.
import {randomUUID} from 'node:crypto';
import {once} from 'node:events';
import {createWriteStream} from 'node:fs';
import {rename, rm} from 'node:fs/promises';
import {createServer, type Socket} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import type {Duplex} from 'node:stream';
import {pipeline} from 'node:stream/promises';
import {makeOwnedFolder} from '../backends/leftover-folders.ts';
import type {Launched} from '../bubblewrap/launch.ts';
import {openGuestLink} from '../guest/guest-link.ts';

/** Of the folders with the sockets of machines that are being saved. */
export const savingKind = 'lumenflow-saving';
/** Seconds by software emulation; a busy machine may give it a small part of a processor. */
const savingMs = 300_000;

export interface SavedFrom {
  /** Absolute path of a socket that the port is connected to. */
  readonly portPath: string;
  /** A folder that the machine's process may write to. */
  readonly folder: string;
}

/** `launch`: starts a machine whose wire takes commands in the protocol QMP. Rejects with the reason if it cannot be saved. */
export async function saveMachine(path: string, launch: (from: SavedFrom) => Promise<Launched>): Promise<void> {
  const folder = await makeOwnedFolder(tmpdir(), savingKind);
  const draft = `${path}.${randomUUID()}`;
  const [portPath, statePath] = [join(folder, 'port'), join(folder, 'state')] as const;
  const [port, state] = [connectionTo(portPath), connectionTo(statePath)] as const;
  try {
    const launched = await launch({portPath, folder});
    await saveLaunched(launched, {port, state, statePath, draft});
    await rename(draft, path);
  } finally {
    for (const server of [port, state]) server.close();
    await Promise.all([rm(folder, {recursive: true, force: true}), rm(draft, {force: true})]);
  }
}

interface Saving {
  readonly port: AwaitedConnection;
  readonly state: AwaitedConnection;
  readonly statePath: string;
  readonly draft: string;
}

async function saveLaunched({wire, kill, ended}: Launched, {port, state, statePath, draft}: Saving): Promise<void> {
  const timer = setTimeout(kill, savingMs);
  const save = async (): Promise<void> => {
    await reportsUp(await port.arrived);
    const command = commandsOver(wire);
    await command('qmp_capabilities');
    await command('migrate', {uri: `unix:${statePath}`});
    await pipeline(await state.arrived, createWriteStream(draft, {mode: 0o600}));
    const {status} = await command('query-migrate');
    if (status !== 'completed') throw new Error(`the machine was not saved: ${String(status)}`);
  };
  const ends = ended.then(({exitCode}) => {
    throw new Error(`the machine ended with exit code ${exitCode} before it was saved`);
  });
  try {
    await Promise.race([save(), ends]);
  } finally {
    clearTimeout(timer);
    kill();
    await ended;
  }
}

interface AwaitedConnection {
  /** Rejects if the system refuses to listen at the path. */
  readonly arrived: Promise<Socket>;
  close(): void;
}

function connectionTo(path: string): AwaitedConnection {
  const server = createServer().listen(path);
  const arrived = once(server, 'connection').then(([socket]) => (socket as Socket).on('error', () => undefined));
  // It also fails while nothing waits for it.
  arrived.catch(() => undefined);
  return {arrived, close: () => server.close()};
}

async function reportsUp(port: Duplex): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const {over} = openGuestLink(port, {
      message: ({type}) => (type === 'up' ? resolve() : reject(new Error(`the agent reported \`${type}\``))),
      content: () => undefined,
      wire: async () => undefined,
    });
    over.then((problem) => reject(new Error(problem ?? 'the agent has ended')), reject);
  });
}

type Reply = Readonly<Record<string, unknown>>;

/** One after the other. Events between replies do not matter. */
function commandsOver(wire: Duplex | undefined): (name: string, options?: Reply) => Promise<Reply> {
  if (wire === undefined) throw new Error('the machine did not start');
  const lines = createInterface({input: wire});
  const replies = lines[Symbol.asyncIterator]();
  return async (name, options) => {
    wire.write(`${JSON.stringify({execute: name, ...(options && {arguments: options})})}\n`);
    for (;;) {
      const {done, value} = await replies.next();
      if (done === true) throw new Error(`the machine ended before it replied to \`${name}\``);
      const reply = JSON.parse(value) as {readonly return?: Reply; readonly error?: {readonly desc: string}};
      if (reply.error) throw new Error(reply.error.desc);
      if (reply.return) return reply.return;
    }
  };
}
