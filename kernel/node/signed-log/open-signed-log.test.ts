// Closing reads the tree once more, so it can meet a disk that fails.
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createProcessRegistry} from '../lock/process-registry.ts';
import {claimEvent} from '../state/claim-event.fixture.ts';
import {openFileState} from '../state/open-file-state.ts';
import {openWorkspaceLog} from '../state/open-workspace-log.ts';
import {openSigningKeys} from './note-key.ts';

test('a disk that fails while the log is closed is reported as LOG_UNAVAILABLE', async () => {
  const root = mkdtempSync(join(tmpdir(), 'lumenflow-sign-'));
  const state = await openFileState({stateFolder: join(root, 'kernel'), processes: createProcessRegistry()});
  const {events} = state.logs;
  const failing = {
    ...state,
    logs: {
      ...state.logs,
      events: {
        ...events,
        settle: () => Promise.reject(Object.assign(new Error('EIO: i/o error, read'), {syscall: 'read'})),
      },
    },
  };
  const signed = await openWorkspaceLog(failing, {keys: await openSigningKeys({keyFolder: join(root, 'keys')})});
  await state.events.transact(() => ({events: [claimEvent('task-1', 'session-1')], result: undefined}));
  await expect(signed.close()).rejects.toMatchObject({code: 'LOG_UNAVAILABLE'});
  await state.close();
  rmSync(root, {recursive: true});
});
