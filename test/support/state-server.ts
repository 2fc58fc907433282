// A store that answers over a socket: one JSON line for each question. It has no locks; events are appended only to the end
// that the client knows.
import {isKernelError} from '@lumenflow/kernel';
import type {NewEvent} from '@lumenflow/kernel/adapters';
import {createServer, type AddressInfo, type Socket} from 'node:net';
import {createMemoryContentStore} from './memory-content-store.ts';
import {createMemoryEventLog} from './memory-event-log.ts';
import {createMemoryEvidenceStore} from './memory-evidence-store.ts';
import type {LogName, MemoryStore} from './memory-state.ts';
import {createMemoryTaskStore} from './memory-task-store.ts';
import {onLines} from './on-lines.ts';

export interface StateServer {
  /** On 127.0.0.1. */
  readonly port: Promise<number>;
  close(): void;
}

export interface Question {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

export type Answer = {readonly id: number} & (
  | {readonly result?: unknown}
  | {readonly error: {readonly code: string; readonly message: string}}
);

export function serveState(store: MemoryStore): StateServer {
  const methods = methodsOf(store);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // A client that was killed resets its connection; `close` follows.
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    onLines(socket, (line) => {
      const question = JSON.parse(line) as Question;
      void answer(methods, question).then((reply) => socket.write(`${JSON.stringify(reply)}\n`));
    });
  });
  const port = new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
  return {
    port,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

type Methods = Readonly<Record<string, (...params: never[]) => unknown>>;

async function answer(methods: Methods, {id, method, params}: Question): Promise<Answer> {
  try {
    const result: unknown = await methods[method]?.(...(params as never[]));
    return {id, result};
  } catch (error) {
    if (!isKernelError(error)) throw error;
    return {id, error: {code: error.code, message: error.message}};
  }
}

function methodsOf(store: MemoryStore): Methods {
  const events = createMemoryEventLog(store.events);
  const evidence = createMemoryEvidenceStore(store.evidence);
  const contents = createMemoryContentStore(store.contents);
  const tasks = createMemoryTaskStore(store.tasks);
  const linesOf = (name: LogName): readonly string[] =>
    (name === 'events' ? store.events : store.evidence.journal).lines;
  return {
    events: (after: number) => store.events.entries.slice(after),
    appendEvents: async (base: number, bodies: readonly NewEvent[]) =>
      await events.transact(() => {
        const isNewest = store.events.entries.length === base;
        return {events: isNewest ? bodies : [], result: isNewest};
      }),
    append: evidence.append,
    receipt: evidence.receipt,
    read: evidence.read,
    recordLines: evidence.lines,
    async export(filter: Parameters<typeof evidence.export>[0]) {
      const lines: string[] = [];
      for await (const line of evidence.export(filter)) lines.push(line);
      return lines;
    },
    openCalls: evidence.openCalls,
    put: contents.put,
    get: contents.get,
    shred: contents.shred,
    createTask: tasks.create,
    amendTask: tasks.amend,
    readTask: tasks.read,
    lines: (name: LogName, seq: number, limit: number) => linesOf(name).slice(seq, seq + limit),
    length: (name: LogName) => linesOf(name).length,
    notes: (name: LogName) => [...store.notes[name].keys()].toSorted((a, b) => a - b),
    readNote: (name: LogName, size: number) => store.notes[name].get(size),
    keepNote(name: LogName, size: number, note: string) {
      if (!store.notes[name].has(size)) store.notes[name].set(size, note);
    },
  };
}
