// A process that archives everything and kills itself before a given step.
// Arguments: state folder, key folder, archive folder, number of the step.
import {openFolderArchive} from '../archive/open-folder-archive.ts';
import {createProcessRegistry} from '../lock/process-registry.ts';
import {openSignedState} from '../state/signed-state.fixture.ts';

const [, , stateFolder = '', keyFolder = '', archiveFolder = '', step = '0'] = process.argv;
let steps = 0;
const state = await openSignedState({
  stateFolder,
  keyFolder,
  processes: createProcessRegistry(),
  archive: openFolderArchive(archiveFolder),
  onArchiveStep() {
    steps += 1;
    if (steps === Number(step)) process.kill(process.pid, 'SIGKILL');
  },
});
const order = {before: '2999-01-01T00:00:00.000Z', by: 'ann', at: '2026-11-26T12:00:00.000Z'};
await state.archive?.(order);
await state.close();
process.stdout.write(`${steps}\n`);
