// A signed state on files with an archive in a folder, for the tests of archiving.
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {ArchiveStore} from '../archive/archive-store.ts';
import {openFolderArchive} from '../archive/open-folder-archive.ts';
import {finishedRecord, startedRecord} from '../conformance/example-records.ts';
import {createProcessRegistry} from '../lock/process-registry.ts';
import {openSignedState, type SignedState, type SignedStateOptions} from '../state/signed-state.fixture.ts';
import {verifyEvidence} from '../verify/verify-evidence.ts';
import type {VerifyReport} from '@lumenflow/kernel';

export interface ArchivedHome {
  readonly root: string;
  readonly stateFolder: string;
  readonly inputs: string;
  readonly store: ArchiveStore;
  open(options?: Partial<SignedStateOptions>): Promise<SignedState>;
  verify(): Promise<VerifyReport>;
  remove(): Promise<void>;
}

/** `parent`: where its folder is made. */
export function createArchivedHome(parent: string = tmpdir()): ArchivedHome {
  const root = mkdtempSync(join(parent, 'lumenflow-archive-'));
  const stateFolder = join(root, 'kernel');
  const keyFolder = join(root, 'keys');
  const store = openFolderArchive(join(root, 'archive'));
  const opened: SignedState[] = [];
  return {
    root,
    stateFolder,
    inputs: join(stateFolder, 'evidence', 'inputs'),
    store,
    async open(options = {}) {
      const processes = createProcessRegistry();
      const state = await openSignedState({stateFolder, keyFolder, processes, archive: store, ...options});
      opened.push(state);
      return state;
    },
    verify: () => verifyEvidence(stateFolder, {keyFolder, archive: store}),
    async remove() {
      await Promise.all(opened.map((state) => state.close()));
      rmSync(root, {recursive: true});
    },
  };
}

/** A call with an input and a large output. */
export async function recordCall(state: SignedState, id: string): Promise<void> {
  const input = await state.contents.put(JSON.stringify({id}));
  const output = await state.contents.put(JSON.stringify({id, text: id.repeat(20_000)}));
  const started = startedRecord(id, {input_hash: input.hash, input_ref: input.ref});
  const finished = {...finishedRecord(id), output_hash: output.hash, output_ref: output.ref};
  await state.evidence.append([started, finished], {fsync: false});
}

/** Newer than everything that was recorded. */
export const later = {before: '2999-01-01T00:00:00.000Z', by: 'ann', at: '2026-11-26T12:00:00.000Z'};
