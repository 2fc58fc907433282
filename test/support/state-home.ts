// Where a workspace keeps its state: in memory, in a folder, or behind a socket. Tests that take one prove all.
import type {ProcessRegistry} from '@lumenflow/kernel/adapters';
import type {StateHome} from '@lumenflow/kernel/conformance';
import {
  noteKeyOf,
  openFileState,
  openWorkspaceLog,
  type OpenSignedLog,
  type SigningKeys,
  type WorkspaceState,
} from '@lumenflow/kernel/node';
import {generateKeyPairSync} from 'node:crypto';
import {appendFileSync, mkdtempSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createMemoryStore, openMemoryState, type MemoryStore} from './memory-state.ts';
import {openSocketState} from './socket-state.ts';
import {serveState} from './state-server.ts';
import {removeTree} from './remove-tree.ts';

export interface TestStateHome extends StateHome {
  readonly keys: SigningKeys;
  /** Adds a title to a stored task spec, behind the kernel's back. */
  tamperWithTask(taskId: string): void;
  remove(): void;
}

export interface StateKind {
  readonly name: string;
  create(): TestStateHome;
}

/** With what signs it. */
export interface SignedState extends WorkspaceState {
  readonly signed: OpenSignedLog;
}

/** Opens a home as one more process, with its signed log, which closes with the state. */
export async function openSignedState(home: TestStateHome, processes: ProcessRegistry): Promise<SignedState> {
  const state = await home.open(processes);
  const signed = await openWorkspaceLog(state, {keys: home.keys});
  return {
    ...state,
    signed,
    async close() {
      await signed.close();
      await state.close();
    },
  };
}

const memoryKeys = createMemoryKeys();

function createMemoryKeys(): SigningKeys {
  const {signer, verifierKey} = noteKeyOf('memory', generateKeyPairSync('ed25519').privateKey);
  return {signer, verifierKeys: () => [verifierKey]};
}

function tamperWithTask({tasks}: MemoryStore, taskId: string): void {
  tasks.set(taskId, JSON.stringify({...JSON.parse(tasks.get(taskId) ?? '{}'), title: 'changed'}));
}

function createMemoryHome(): TestStateHome {
  const store = createMemoryStore();
  return {
    keys: memoryKeys,
    open: async (processes) => await Promise.resolve(openMemoryState(store, processes)),
    tamperWithTask: (taskId) => tamperWithTask(store, taskId),
    remove: () => undefined,
  };
}

function createSocketHome(): TestStateHome {
  const store = createMemoryStore();
  const server = serveState(store);
  return {
    keys: memoryKeys,
    open: async (processes) => await openSocketState(await server.port, processes),
    tamperWithTask: (taskId) => tamperWithTask(store, taskId),
    remove: () => server.close(),
  };
}

function createFileHome(): TestStateHome {
  const root = mkdtempSync(join(tmpdir(), 'lumenflow-state-'));
  const stateFolder = join(root, 'kernel');
  return {
    keys: memoryKeys,
    open: (processes) => openFileState({stateFolder, processes, durability: 'process'}),
    tamperWithTask: (taskId) => appendFileSync(join(stateFolder, 'tasks', `${taskId}.yaml`), 'title: changed\n'),
    remove: () => removeTree(root),
  };
}

export const memoryState: StateKind = {name: 'in memory', create: createMemoryHome};
export const fileState: StateKind = {name: 'on files', create: createFileHome};

export const stateKinds: readonly StateKind[] = [
  memoryState,
  fileState,
  {name: 'over a socket', create: createSocketHome},
];
