// Where a workspace keeps its state, in memory or in a folder: tests that take one prove both.
import type {EventLog, EvidenceLog, ProcessRegistry, TaskStore} from '@lumenflow/kernel/adapters';
import {openFileState} from '@lumenflow/kernel/node';
import {appendFileSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createMemoryEventLog} from './memory-event-log.ts';
import {createMemoryEvidence, createMemoryEvidenceLog} from './memory-evidence-log.ts';
import {createMemoryJournal} from './memory-journal.ts';
import {createMemoryTaskStore} from './memory-task-store.ts';
import type {KernelEvent} from '@lumenflow/schemas';

export interface State {
  readonly events: EventLog;
  readonly evidence: EvidenceLog;
  readonly tasks: TaskStore;
  close(): Promise<void>;
}

export interface StateHome {
  /** Opens it as one more process. */
  open(processes: ProcessRegistry): Promise<State>;
  /** Adds a title to a stored task spec, behind the kernel's back. */
  tamperWithTask(taskId: string): void;
  remove(): void;
}

export interface StateKind {
  readonly name: string;
  create(): StateHome;
}

function createMemoryHome(): StateHome {
  const events = createMemoryJournal<KernelEvent>();
  const evidence = createMemoryEvidence();
  const tasks = new Map<string, string>();
  return {
    async open() {
      const log = createMemoryEvidenceLog(evidence);
      return {
        events: createMemoryEventLog(events),
        evidence: log,
        tasks: createMemoryTaskStore(tasks),
        close: () => log.close(),
      };
    },
    tamperWithTask(taskId) {
      const text = tasks.get(taskId) ?? '{}';
      tasks.set(taskId, JSON.stringify({...JSON.parse(text), title: 'changed'}));
    },
    remove: () => undefined,
  };
}

function createFileHome(): StateHome {
  const root = mkdtempSync(join(tmpdir(), 'lumenflow-state-'));
  const stateFolder = join(root, 'kernel');
  return {
    open: (processes) => openFileState({stateFolder, keyFolder: join(root, 'keys'), processes, durability: 'process'}),
    tamperWithTask: (taskId) => appendFileSync(join(stateFolder, 'tasks', `${taskId}.yaml`), 'title: changed\n'),
    remove: () => rmSync(root, {recursive: true}),
  };
}

export const memoryState: StateKind = {name: 'in memory', create: createMemoryHome};

export const stateKinds: readonly StateKind[] = [memoryState, {name: 'on files', create: createFileHome}];
