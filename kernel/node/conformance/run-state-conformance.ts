// One suite for every state of a workspace: on files, in memory, in a database.
import {generateKeyPairSync} from 'node:crypto';
import type {ProcessRegistry} from '@lumenflow/kernel/adapters';
import {noteKeyOf, type SigningKeys} from '../signed-log/note-key.ts';
import {openWorkspaceLog} from '../state/open-workspace-log.ts';
import type {WorkspaceState} from '../state/workspace-state.ts';
import {checkpointCases} from './checkpoint-cases.ts';
import {closingCases} from './closing-cases.ts';
import {contentCases} from './content-cases.ts';
import {eventLogCases} from './event-log-cases.ts';
import {evidenceCases} from './evidence-cases.ts';
import {createProcessTable} from './process-table.ts';
import {proofCases} from './proof-cases.ts';
import type {StateCase, StateStage} from './state-case.ts';
import {taskCases} from './task-cases.ts';

/** Where a state is kept: a folder, a database, a server. */
export interface StateHome {
  /** Opens the state as one more process, with this registry. */
  open(processes: ProcessRegistry): Promise<WorkspaceState>;
  /** Called after everything that was opened is closed. */
  remove(): Promise<void> | void;
}

export interface StateConformanceOptions {
  /** An empty state, for one case. */
  create(): Promise<StateHome> | StateHome;
  /** Registers a case, such as `test` of vitest or of node:test. */
  register(name: string, run: () => Promise<void>): void;
}

export const stateCases: readonly StateCase[] = [
  ...eventLogCases,
  ...evidenceCases,
  ...contentCases,
  ...taskCases,
  ...checkpointCases,
  ...proofCases,
  ...closingCases,
];

export function runStateConformance({create, register}: StateConformanceOptions): void {
  for (const {name, run} of stateCases) register(name, () => onStage(create, run));
}

async function onStage(create: StateConformanceOptions['create'], run: StateCase['run']): Promise<void> {
  const home = await create();
  const closers: (() => Promise<void>)[] = [];
  try {
    await run(createStage(home, closers));
  } finally {
    // The last that was opened first: a signed log closes before its state.
    for (const close of closers.toReversed()) await close();
    await home.remove();
  }
}

function createStage(home: StateHome, closers: (() => Promise<void>)[]): StateStage {
  const table = createProcessTable();
  const keys = createKeys();
  const open = async (): Promise<WorkspaceState> => {
    const state = await home.open(table.start());
    closers.push(() => state.close());
    return state;
  };
  return {
    open,
    async openSigned() {
      const state = await open();
      const signed = await openWorkspaceLog(state, {keys});
      closers.push(() => signed.close());
      return {state, signed};
    },
    kill: ({processes}) => table.kill(processes.processId),
  };
}

function createKeys(): SigningKeys {
  const {signer, verifierKey} = noteKeyOf('conformance', generateKeyPairSync('ed25519').privateKey);
  return {signer, verifierKeys: () => [verifierKey]};
}
