// Where a workspace keeps its state: in memory, in a folder, or behind a socket. Tests that take one prove all.
import type {ProcessRegistry} from '@lumenflow/kernel/adapters';
import {
  noteKeyOf,
  openFileState,
  openSigningKeys,
  openWorkspaceLog,
  type OpenSignedLog,
  type SigningKeys,
  type WorkspaceState,
} from '@lumenflow/kernel/node';
import {generateKeyPairSync} from 'node:crypto';
import {appendFileSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createMemoryStore, openMemoryState, type MemoryStore} from './memory-state.ts';
import {openSocketState} from './socket-state.ts';
import {serveState} from './state-server.ts';

/** With what signs it. */
export interface State extends WorkspaceState {
  readonly signed: OpenSignedLog;
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

const keys = memoryKeys();

function memoryKeys(): SigningKeys {
  const {signer, verifierKey} = noteKeyOf('memory', generateKeyPairSync('ed25519').privateKey);
  return {signer, verifierKeys: () => [verifierKey]};
}

async function withSignedLog(state: WorkspaceState, signingKeys: SigningKeys): Promise<State> {
  const signed = await openWorkspaceLog(state, {keys: signingKeys});
  return {
    ...state,
    signed,
    async close() {
      await signed.close();
      await state.close();
    },
  };
}

function tamperWithTask({tasks}: MemoryStore, taskId: string): void {
  tasks.set(taskId, JSON.stringify({...JSON.parse(tasks.get(taskId) ?? '{}'), title: 'changed'}));
}

function createMemoryHome(): StateHome {
  const store = createMemoryStore();
  return {
    open: (processes) => withSignedLog(openMemoryState(store, processes), keys),
    tamperWithTask: (taskId) => tamperWithTask(store, taskId),
    remove: () => undefined,
  };
}

function createSocketHome(): StateHome {
  const store = createMemoryStore();
  const server = serveState(store);
  return {
    open: async (processes) => await withSignedLog(await openSocketState(await server.port, processes), keys),
    tamperWithTask: (taskId) => tamperWithTask(store, taskId),
    remove: () => server.close(),
  };
}

function createFileHome(): StateHome {
  const root = mkdtempSync(join(tmpdir(), 'lumenflow-state-'));
  const stateFolder = join(root, 'kernel');
  return {
    async open(processes) {
      const state = await openFileState({stateFolder, processes, durability: 'process'});
      return await withSignedLog(state, await openSigningKeys({keyFolder: join(root, 'keys')}));
    },
    tamperWithTask: (taskId) => appendFileSync(join(stateFolder, 'tasks', `${taskId}.yaml`), 'title: changed\n'),
    remove: () => rmSync(root, {recursive: true}),
  };
}

export const memoryState: StateKind = {name: 'in memory', create: createMemoryHome};

export const stateKinds: readonly StateKind[] = [
  memoryState,
  {name: 'on files', create: createFileHome},
  {name: 'over a socket', create: createSocketHome},
];
