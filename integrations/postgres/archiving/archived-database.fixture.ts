// A signed state in PostgreSQL with an archive in a folder, for the tests of archiving.
import {generateKeyPairSync} from 'node:crypto';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {VerifyReport} from '@lumenflow/kernel';
import type {NewEvidenceRecord} from '@lumenflow/kernel/adapters';
import {recordsOfCall} from '@lumenflow/kernel/conformance';
import {
  noteKeyOf,
  openFolderArchive,
  openWorkspaceLog,
  verifyWorkspaceState,
  type ArchiveStore,
  type OpenSignedLog,
  type WorkspaceState,
} from '@lumenflow/kernel/node';
import {Client} from 'pg';
import {openPostgresState, type PostgresStateOptions} from '../open-postgres-state.ts';

export interface SignedHost extends WorkspaceState {
  readonly signed: OpenSignedLog;
}

export interface ArchivedDatabase {
  readonly url: string;
  readonly root: string;
  readonly store: ArchiveStore;
  open(options?: Partial<PostgresStateOptions>): Promise<SignedHost>;
  verify(options?: Partial<PostgresStateOptions>): Promise<VerifyReport>;
  query<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  remove(): Promise<void>;
}

export function createArchivedDatabase(url: string): ArchivedDatabase {
  const root = mkdtempSync(join(tmpdir(), 'lumenflow-archived-'));
  const store = openFolderArchive(join(root, 'archive'));
  const {signer, verifierKey} = noteKeyOf('archive', generateKeyPairSync('ed25519').privateKey);
  const opened: SignedHost[] = [];
  // Small objects, so that there are several; and a snapshot of a few events, so that these are archived.
  const defaults = {url, archive: store, archivedObjectBytes: 3_000, snapshotEvery: 2, connectionsMax: 5};
  return {
    url,
    root,
    store,
    async open(options = {}) {
      const state = await openPostgresState({...defaults, ...options});
      const signed = await openWorkspaceLog(state, {keys: {signer, verifierKeys: () => [verifierKey]}});
      const close = async (): Promise<void> => {
        try {
          await signed.close();
        } finally {
          await state.close();
        }
      };
      const host = {...state, signed, close};
      opened.push(host);
      return host;
    },
    async verify(options = {}) {
      const state = await openPostgresState({...defaults, ...options});
      try {
        return await verifyWorkspaceState(state, {keys: [verifierKey]});
      } finally {
        await state.close();
      }
    },
    async query<Row>(text: string, values: readonly unknown[] = []) {
      const client = new Client({connectionString: url});
      await client.connect();
      try {
        return (await client.query(text, [...values])).rows as Row[];
      } finally {
        await client.end();
      }
    },
    async remove() {
      for (const host of opened.toReversed()) await host.close();
      rmSync(root, {recursive: true});
    },
  };
}

/** A call with an input and an output of its own. */
export async function recordCall({contents, evidence}: WorkspaceState, id: string): Promise<void> {
  const [started, , finished] = recordsOfCall(id);
  const [input, output] = await Promise.all([
    contents.put(JSON.stringify({id})),
    contents.put(JSON.stringify({id, text: 'ä'.repeat(400)})),
  ]);
  const ended: NewEvidenceRecord = {
    type: 'tool_call_finished',
    timestamp: finished.timestamp,
    receipt_id: id,
    result: 'success',
    duration_ms: 1,
    output_hash: output.hash,
    output_ref: output.ref,
  };
  await evidence.append([{...started, input_hash: input.hash, input_ref: input.ref} as typeof started, ended], {
    fsync: true,
  });
}

export const stateText = String.raw`{"state":"\u0000ä"}`;

/** Events, and a snapshot of a state that has it. */
export async function recordEvents({events}: WorkspaceState, count: number): Promise<void> {
  const timestamp = '2026-01-02T03:04:05.678Z';
  const one = (at: number) =>
    ({type: 'task_released', timestamp, actor: 'ann', task_id: `t${at}`, reason: 'r'}) as const;
  await events.transact(() => ({events: Array.from({length: count}, (_, at) => one(at)), result: undefined}));
  await events.snapshots?.keep(stateText, timestamp);
}

/** Newer than everything that was recorded. */
export const later = {before: '2999-01-01T00:00:00.000Z', by: 'ann', at: '2026-11-26T12:00:00.000Z'};
