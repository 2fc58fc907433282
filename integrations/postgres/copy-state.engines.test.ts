// Moving a workspace between files and a database: nothing is changed, on the way there and back.
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {recordsOfCall} from '@lumenflow/kernel/conformance';
import {
  compareStates,
  copyState,
  createProcessRegistry,
  importToFiles,
  openFileState,
  openSigningKeys,
  openWorkspaceLog,
  verifyEvidence,
  type WorkspaceState,
} from '@lumenflow/kernel/node';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {Database} from './connection/database.ts';
import {importToPostgres} from './import-to-postgres.ts';
import {openPostgresState} from './open-postgres-state.ts';
import {createPostgresServer, noServer, type PostgresServer} from './testing/create-postgres-server.ts';

let server: PostgresServer;
let root: string;
let opened: {close(): Promise<void>}[];

async function opening<T extends {close(): Promise<void>}>(part: Promise<T>): Promise<T> {
  const one = await part;
  opened.push(one);
  return one;
}

const folder = (name: string): string => join(root, name, 'kernel');
const openFiles = (name: string): Promise<WorkspaceState> =>
  opening(openFileState({stateFolder: folder(name), processes: createProcessRegistry()}));

/** Calls with contents of all sizes, tasks with amendments, a redaction, and signatures. */
async function fill(state: WorkspaceState): Promise<void> {
  const timestamp = '2026-01-02T03:04:05.678Z';
  const created = await state.tasks.create({id: 'task-1', lane_id: 'core', title: 'ä: "1"'});
  const amended = await state.tasks.amend({id: 'task-1', lane_id: 'core', title: 'amended'});
  const [spec_hash] = created === 'exists' ? [''] : [created.spec_hash];
  await state.events.transact(() => ({
    events: [
      {type: 'task_created', timestamp, actor: 'ann', task_id: 'task-1', lane_id: 'core', spec_hash},
      {type: 'task_amended', timestamp, actor: 'ann', task_id: 'task-1', spec_hash: amended.spec_hash},
    ],
    result: undefined,
  }));
  for (let call = 0; call < 700; call += 1) {
    const [started, progress, finished] = recordsOfCall(`r${call}`);
    const input = await state.contents.put(JSON.stringify({call, text: 'x'.repeat(call === 7 ? 300_000 : call)}));
    await state.evidence.append([{...started, input_hash: input.hash, input_ref: input.ref} as typeof started], {
      fsync: false,
    });
    await state.evidence.append(call % 10 === 0 ? [progress] : [progress, finished], {fsync: false});
    if (call === 3 || call === 7) await state.contents.shred(input.hash);
  }
  const keys = await openSigningKeys({keyFolder: join(root, 'keys')});
  const log = await openWorkspaceLog(state, {keys});
  await log.checkpoint();
  await log.close();
}

describe.skipIf(noServer !== undefined)('copying a state', () => {
  beforeAll(async () => {
    server = await createPostgresServer();
  });
  afterAll(() => server.remove());
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'lumenflow-copy-'));
    opened = [];
  });
  afterEach(async () => {
    for (const each of opened.toReversed()) await each.close();
    rmSync(root, {recursive: true});
  });

  test('there and back, all records, contents, specs and signatures are the same', async () => {
    const files = await openFiles('before');
    await fill(files);
    const url = await server.createDatabase();
    const database = await opening(Promise.resolve(new Database({url})));
    const report = await copyState({from: files, to: await importToPostgres(database)});
    expect(report).toEqual({events: 2, traces: 2_030, contents: 698, specs: 2, checkpoints: 2});
    const there = await opening(openPostgresState({url}));
    await compareStates(files, there);
    expect((await there.evidence.openCalls()).length).toBe(70);
    expect(await there.evidence.read({result: 'open', limit: 5})).toEqual(
      await files.evidence.read({result: 'open', limit: 5}),
    );
    expect(await there.evidence.receipt('r8')).toEqual(await files.evidence.receipt('r8'));
    expect(await there.tasks.read('task-1')).toEqual(await files.tasks.read('task-1'));
    const again = await there.contents.put(JSON.stringify({call: 7, text: 'x'.repeat(300_000)}));
    expect(again.ref).toMatch(/^inputs\/pack-/u);

    await copyState({from: there, to: await importToFiles(folder('after'))});
    await compareStates(there, await openFiles('after'));
    const options = {keyFolder: join(root, 'keys')};
    const [before, after] = [
      await verifyEvidence(folder('before'), options),
      await verifyEvidence(folder('after'), options),
    ];
    expect(JSON.parse(JSON.stringify(after).replaceAll('/after/', '/before/'))).toEqual(before);
    expect(after.records).toBe(2_030);
  });

  test('only an empty state takes over another one, and a copy that fails leaves nothing', async () => {
    const files = await openFiles('before');
    await fill(files);
    const url = await server.createDatabase();
    const database = await opening(Promise.resolve(new Database({url})));
    const grows = {...files, logs: {...files.logs, traces: {...files.logs.traces, length: () => 3_000}}};
    await expect(copyState({from: grows, to: await importToPostgres(database)})).rejects.toThrow(
      'stop all hosts first',
    );
    await copyState({from: files, to: await importToPostgres(database)});
    await expect(importToPostgres(database)).rejects.toThrow('already has records');
    await expect(importToFiles(folder('before'))).rejects.toThrow('already has records');
    const there = await opening(openPostgresState({url}));
    await expect(
      copyState({
        from: {...there, logs: {...there.logs, events: {...there.logs.events, length: () => 1}}},
        to: await importToFiles(folder('after')),
      }),
    ).rejects.toThrow('grew');
    await expect(compareStates(there, await openFiles('after'))).rejects.toThrow('does not have the lines');
  });
});
