import {cpSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {openFolderArchive} from '../archive/open-folder-archive.ts';
import {ending, startFixture} from '../lock/start-fixture.fixture.ts';
import {createProcessRegistry} from '../lock/process-registry.ts';
import {openSignedState} from '../state/signed-state.fixture.ts';
import {verifyEvidence} from '../verify/verify-evidence.ts';
import {createArchivedHome, later, recordCall, type ArchivedHome} from './archived-state.fixture.ts';

let home: ArchivedHome;
beforeEach(() => (home = createArchivedHome()));
afterEach(() => home.remove());

test('an archiving that is killed before any step loses nothing, and the next one completes it', async () => {
  const state = await home.open({rotateBytes: 1_500, durability: 'process'});
  for (let call = 0; call < 4; call += 1) await recordCall(state, `call-${call}`);
  await state.signed.checkpoint();
  await state.close();
  const before = await home.verify();
  expect(before).toMatchObject({status: 'verified', records: 8, blobs: 8});
  const steps = (await archiveKilledAt(0, 'whole')) ?? 0;
  // Four for each segment and for each file of contents.
  expect(steps).toBeGreaterThanOrEqual(16);
  for (let step = 1; step <= steps; step += 1) {
    const copy = `step-${step}`;
    expect(await archiveKilledAt(step, copy)).toBeUndefined();
    const killed = await verifyCopy(copy);
    expect({step, findings: killed.findings}).toEqual({step, findings: []});
    expect(killed).toMatchObject({root: before.root, records: 8, blobs: 8});
    await completeCopy(copy);
    expect({step, ...(await verifyCopy(copy))}).toMatchObject({step, status: 'verified', root: before.root, blobs: 8});
  }
}, 600_000);

function foldersOf(copy: string) {
  const of = (name: string): string => join(home.root, copy, name);
  return {stateFolder: of('kernel'), keyFolder: of('keys'), archiveFolder: of('archive')};
}

/** Returns the number of steps, or undefined if it was killed. */
async function archiveKilledAt(step: number, copy: string): Promise<number | undefined> {
  const {stateFolder, keyFolder, archiveFolder} = foldersOf(copy);
  cpSync(home.stateFolder, stateFolder, {recursive: true});
  cpSync(join(home.root, 'keys'), keyFolder, {recursive: true});
  const url = new URL('kill-archiving.fixture.ts', import.meta.url);
  const child = startFixture(url, stateFolder, keyFolder, archiveFolder, String(step));
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const code = await ending(child);
  return code === 0 ? Number(printed) : undefined;
}

/** Events that record the archiving are signed by the next process. */
async function verifyCopy(copy: string) {
  const {stateFolder, keyFolder, archiveFolder} = foldersOf(copy);
  const archive = openFolderArchive(archiveFolder);
  const state = await openSignedState({stateFolder, keyFolder, processes: createProcessRegistry(), archive});
  await state.close();
  return await verifyEvidence(stateFolder, {keyFolder, archive});
}

async function completeCopy(copy: string): Promise<void> {
  const {stateFolder, keyFolder, archiveFolder} = foldersOf(copy);
  const archive = openFolderArchive(archiveFolder);
  const state = await openSignedState({stateFolder, keyFolder, processes: createProcessRegistry(), archive});
  await state.archive?.(later);
  const again = await state.archive?.(later);
  expect(again).toMatchObject({segments: [], contents: {files: 0}});
  await state.close();
}
