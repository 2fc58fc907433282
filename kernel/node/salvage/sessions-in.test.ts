import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {finishedRecord, startedRecord} from '../conformance/example-records.ts';
import {createProcessRegistry} from '../lock/process-registry.ts';
import {logStart} from '../log/log-position.ts';
import {claimEvent} from '../state/claim-event.fixture.ts';
import {openSignedState} from '../state/signed-state.fixture.ts';
import {logFilesOf} from './log-files.ts';
import {sessionsIn} from './sessions-in.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lumenflow-sessions-'));
});
afterEach(() => rmSync(root, {recursive: true}));

test('sessions are found in lines that are no longer JSON', async () => {
  const path = join(root, 'segment');
  const line = (session: string): string => `{"type":"task_claimed","session_id":"${session}"}`;
  const tainted = '{"taints":[{"of":"session c"},{"of":"task t"},{"of":"programs d"},{"of":"store p/notes"}]}';
  writeFileSync(path, `${line('b')}\n${line('a').slice(9)}\n\0\0${tainted.slice(4, -3)}\n${line('b')}`);
  const cut = {position: logStart, archive: undefined};
  expect(await sessionsIn(root, {...cut, paths: [path, join(root, 'missing')]})).toEqual(['a', 'b', 'c', 'd']);
  expect(await sessionsIn(root, {...cut, paths: []})).toEqual([]);
});

test('sessions are found by the calls since the events that remain were signed, if the events themselves are gone', async () => {
  const stateFolder = join(root, 'kernel');
  for (const round of ['1', '2', '3', '4']) {
    const state = await openSignedState({
      stateFolder,
      keyFolder: join(root, 'keys'),
      processes: createProcessRegistry(),
      durability: 'process',
    });
    const started = {...startedRecord(round), session_id: `s${round}`};
    await state.evidence.append([started, finishedRecord(round)], {fsync: false});
    await state.events.transact(() => ({events: [claimEvent(`t${round}`, `s${round}`)], result: 1}));
    await state.close();
  }
  const after = (seq: number): Promise<readonly string[]> =>
    sessionsIn(stateFolder, {paths: [], position: {...logStart, seq}, archive: undefined});
  expect(await after(0)).toEqual(['s1', 's2', 's3', 's4']);
  expect(await after(3)).toEqual(['s3', 's4']);
  expect(await after(4)).toEqual(['s4']);
  const {folder} = logFilesOf(stateFolder, 'traces');
  const [segment = ''] = readdirSync(folder);
  const bytes = readFileSync(join(folder, segment));
  bytes.fill(0, 10, 40);
  writeFileSync(join(folder, segment), bytes);
  expect(await after(4)).toEqual(['s1', 's2', 's3', 's4']);
});
