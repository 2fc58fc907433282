// A host that archives everything and kills itself before a given step.
// Arguments: address of the database, archive folder, number of the step.
import {openFolderArchive} from '@lumenflow/kernel/node';
import {openPostgresState} from '../open-postgres-state.ts';

const [, , url = '', archiveFolder = '', step = '0'] = process.argv;
let steps = 0;
const state = await openPostgresState({
  url,
  archive: openFolderArchive(archiveFolder),
  archivedObjectBytes: 3_000,
  onArchiveStep() {
    steps += 1;
    if (steps === Number(step)) process.kill(process.pid, 'SIGKILL');
  },
});
await state.archive?.({before: '2999-01-01T00:00:00.000Z', by: 'ann', at: '2026-11-26T12:00:00.000Z'});
await state.close();
process.stdout.write(`${steps}\n`);
