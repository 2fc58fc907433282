// The state of a workspace in memory. Several opened on one store simulate several processes.
import {KernelError} from '@lumenflow/kernel';
import type {ProcessRegistry} from '@lumenflow/kernel/adapters';
import {createLineCursor, type LogReader, type WorkspaceState} from '@lumenflow/kernel/node';
import type {KernelEvent} from '@lumenflow/schemas';
import {createMemoryContentStore, type MemoryContents} from './memory-content-store.ts';
import {createMemoryEventLog} from './memory-event-log.ts';
import {createMemoryEvidence, createMemoryEvidenceStore, type MemoryEvidence} from './memory-evidence-store.ts';
import {createMemoryJournal, type MemoryJournal} from './memory-journal.ts';
import {createMemoryTaskStore} from './memory-task-store.ts';

export const logNames = ['events', 'traces'] as const;
export type LogName = (typeof logNames)[number];

/** What all processes of one workspace share. */
export interface MemoryStore {
  readonly events: MemoryJournal<KernelEvent>;
  readonly evidence: MemoryEvidence;
  readonly contents: MemoryContents;
  /** Texts of task specs, by id. */
  readonly tasks: Map<string, string>;
  /** Signed notes of each log, by size. */
  readonly notes: Readonly<Record<LogName, Map<number, string>>>;
}

export function createMemoryStore(): MemoryStore {
  return {
    events: createMemoryJournal<KernelEvent>(),
    evidence: createMemoryEvidence(),
    contents: {texts: new Map(), shredded: new Map()},
    tasks: new Map(),
    notes: {events: new Map(), traces: new Map()},
  };
}

export function openMemoryState(store: MemoryStore, processes: ProcessRegistry): WorkspaceState {
  const appended = {events: 0, traces: 0};
  let isClosed = false;
  const whileOpen =
    <Arguments extends readonly unknown[], Result>(work: (...given: Arguments) => Promise<Result>) =>
    async (...given: Arguments): Promise<Result> => {
      if (isClosed) throw new KernelError('RUNTIME_CLOSED', 'the runtime is closed');
      return await work(...given);
    };
  const events = createMemoryEventLog(store.events);
  const evidence = createMemoryEvidenceStore(store.evidence);
  const contents = createMemoryContentStore(store.contents);
  return {
    events: {
      ...events,
      transact: (decide) =>
        events.transact(() => {
          const decided = decide();
          appended.events += decided.events.length;
          return decided;
        }),
    },
    evidence: {
      ...evidence,
      append: whileOpen(async (records, options) => {
        await evidence.append(records, options);
        appended.traces += records.length;
      }),
    },
    contents: {...contents, put: whileOpen(contents.put), shred: whileOpen(contents.shred)},
    tasks: createMemoryTaskStore(store.tasks),
    processes,
    logs: {
      events: memoryLog(store, 'events', () => appended.events),
      traces: memoryLog(store, 'traces', () => appended.traces),
    },
    async close() {
      isClosed = true;
    },
  };
}

function memoryLog(store: MemoryStore, name: LogName, appended: () => number): LogReader {
  const {lines} = name === 'events' ? store.events : store.evidence.journal;
  const notes = store.notes[name];
  return {
    location: `memory/${name}`,
    checkpoints: {
      location: `memory/${name}/notes`,
      where: (size) => `memory/${name}/notes/${size}`,
      sizes: () => [...notes.keys()].toSorted((a, b) => a - b),
      read: (size) => notes.get(size),
      async keep(size, note) {
        if (!notes.has(size)) notes.set(size, note);
      },
    },
    cursor: (from) => createLineCursor((seq, limit) => lines.slice(seq, seq + limit), from),
    where: ({seq}) => `\`memory/${name}\` line ${seq}`,
    length: () => lines.length,
    settle: async () => lines.length,
    sync: async () => undefined,
    appended,
    parsePosition: () => undefined,
  };
}
