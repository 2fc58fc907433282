// The state of a workspace behind a socket: what a process knows of the events is a copy, and every question takes a turn.
import {KernelError} from '@lumenflow/kernel';
import type {EventLog, ProcessRegistry} from '@lumenflow/kernel/adapters';
import {createLineCursor, type LogReader, type WorkspaceState} from '@lumenflow/kernel/node';
import type {KernelEvent} from '@lumenflow/schemas';
import {once} from 'node:events';
import {connect} from 'node:net';
import type {LogName} from './memory-state.ts';
import {onLines} from './on-lines.ts';
import type {Answer, Question} from './state-server.ts';

type Ask = <Result>(method: string, ...params: readonly unknown[]) => Promise<Result>;

export async function openSocketState(port: number, processes: ProcessRegistry): Promise<WorkspaceState> {
  const {ask, end} = await openConnection(port);
  const appended = {events: 0, traces: 0};
  const events = await openEvents(ask, (count) => (appended.events += count));
  let isClosed = false;
  const askOpen: Ask = async (method, ...params) => {
    if (isClosed) throw new KernelError('RUNTIME_CLOSED', 'the runtime is closed');
    return await ask(method, ...params);
  };
  return {
    events,
    evidence: {
      async append(records, options) {
        await askOpen('append', records, options);
        appended.traces += records.length;
      },
      receipt: (receiptId) => ask('receipt', receiptId),
      read: (filter) => ask('read', filter),
      lines: (receiptId) => ask('recordLines', receiptId),
      async *export(filter) {
        yield* await ask<readonly string[]>('export', filter);
      },
      openCalls: () => ask('openCalls'),
    },
    contents: {
      put: (text) => askOpen('put', text),
      get: (ref) => ask('get', ref),
      shred: (hash) => askOpen('shred', hash),
      forget: () => undefined,
    },
    tasks: {
      create: (spec) => ask('createTask', spec),
      amend: (spec) => ask('amendTask', spec),
      read: (...params) => ask('readTask', ...params.filter((param) => param !== undefined)),
    },
    processes,
    logs: {
      events: socketLog(ask, 'events', () => appended.events),
      traces: socketLog(ask, 'traces', () => appended.traces),
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      await end();
    },
  };
}

async function openConnection(port: number): Promise<{readonly ask: Ask; end(): Promise<void>}> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const waiting = new Map<number, (answer: Answer) => void>();
  onLines(socket, (line) => {
    const answer = JSON.parse(line) as Answer;
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  const gone = {code: 'LOG_UNAVAILABLE', message: 'the store has closed the connection'};
  // Without listeners, a reset connection would end the process; `close` follows in any case.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    for (const [id, resolve] of waiting) resolve({id, error: gone});
    waiting.clear();
  });
  let asked = 0;
  return {
    async ask<Result>(method: string, ...params: readonly unknown[]) {
      asked += 1;
      const id = asked;
      const text = questionText({id, method, params});
      const answer = await new Promise<Answer>((resolve) => {
        if (socket.destroyed) return resolve({id, error: gone});
        waiting.set(id, resolve);
        socket.write(`${text}\n`);
      });
      if ('error' in answer) throw new KernelError(answer.error.code as KernelError['code'], answer.error.message);
      return ('result' in answer ? answer.result : undefined) as Result;
    },
    async end() {
      if (socket.destroyed) return;
      socket.end();
      await once(socket, 'close');
    },
  };
}

function questionText(question: Question): string {
  try {
    return JSON.stringify(question);
  } catch (cause) {
    throw new KernelError('BROKEN_INVARIANT', 'a record is not JSON', {cause});
  }
}

async function openEvents(ask: Ask, onAppend: (count: number) => void): Promise<EventLog> {
  const known: KernelEvent[] = [];
  const listeners = new Set<(event: KernelEvent) => void>();
  async function refresh(): Promise<void> {
    const asked = known.length;
    const news = await ask<readonly KernelEvent[]>('events', asked);
    // Another refresh may have been faster.
    for (const event of news.slice(known.length - asked)) {
      known.push(event);
      for (const listener of listeners) listener(event);
    }
  }
  await refresh();
  return {
    refresh,
    async transact(decide) {
      for (;;) {
        await refresh();
        const {events, result} = decide();
        const base = known.length;
        if (events.length === 0) return result;
        if (await ask<boolean>('appendEvents', base, events)) {
          onAppend(events.length);
          await refresh();
          return result;
        }
      }
    },
    onEvent(listener, afterSeq = 0) {
      for (const event of known.slice(afterSeq)) listener(event);
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    read: ({afterSeq = 0, limit = known.length}) => known.slice(afterSeq, afterSeq + limit),
  };
}

function socketLog(ask: Ask, name: LogName, appended: () => number): LogReader {
  return {
    location: `socket/${name}`,
    checkpoints: {
      location: `socket/${name}/notes`,
      where: (size) => `socket/${name}/notes/${size}`,
      sizes: () => ask('notes', name),
      read: (size) => ask('readNote', name, size),
      keep: (size, note) => ask('keepNote', name, size, note),
    },
    cursor: (from) => createLineCursor((seq, limit) => ask('lines', name, seq, limit), from),
    where: ({seq}) => `\`socket/${name}\` line ${seq}`,
    length: () => ask('length', name),
    settle: () => ask('length', name),
    sync: async () => undefined,
    appended,
    parsePosition: () => undefined,
  };
}
