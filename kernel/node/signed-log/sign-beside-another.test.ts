// Two processes that sign at once. At any moment of one's signing, the other records and signs more. Each checkpoint covers
// the lines that it names.
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createProcessRegistry} from '../lock/process-registry.ts';
import {nodeFileOperations, type FileOperations} from '../log/file-operations.ts';
import {finishedRecord, startedRecord} from '../conformance/example-records.ts';
import {claimEvent} from '../state/claim-event.fixture.ts';
import {openSignedState, type SignedState} from '../state/signed-state.fixture.ts';

async function record(state: SignedState, name: string): Promise<void> {
  await state.evidence.append([startedRecord(name), finishedRecord(name)], {fsync: false});
  await state.events.transact(() => ({events: [claimEvent(name, 'session-1')], result: undefined}));
}

test.each([0, 1, 2, 3, 4, 5])('another process signs at sync %i', async (moment) => {
  const root = mkdtempSync(join(tmpdir(), 'lumenflow-sign-'));
  const open = (files: FileOperations): Promise<SignedState> =>
    openSignedState({
      stateFolder: join(root, 'kernel'),
      keyFolder: join(root, 'keys'),
      processes: createProcessRegistry(),
      files,
    });
  const other = await open(nodeFileOperations);
  let syncs = Number.NEGATIVE_INFINITY;
  const state = await open({
    ...nodeFileOperations,
    async datasync(fd) {
      const isMoment = syncs === moment;
      syncs += 1;
      if (isMoment) {
        await record(other, 'of-another');
        await other.signed.checkpoint();
      }
      await nodeFileOperations.datasync(fd);
    },
  });
  await record(state, 'own');
  syncs = 0;
  await state.signed.checkpoint();
  expect((await state.signed.verify()).findings.filter((finding) => !finding.includes('behind the newest'))).toEqual(
    [],
  );
  await state.close();
  await other.close();
  rmSync(root, {recursive: true});
});
