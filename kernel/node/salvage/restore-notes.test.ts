// Lost notes of archived lines: they are written again if the chain proves which objects have the lines, and else nothing is cut.
import {cpSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {ProcessRegistry} from '@lumenflow/kernel/adapters';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import type {ArchiveStore} from '../archive/archive-store.ts';
import {openFolderArchive} from '../archive/open-folder-archive.ts';
import {createArchivedHome, later, type ArchivedHome} from '../archiving/archived-state.fixture.ts';
import {createProcessRegistry} from '../lock/process-registry.ts';
import type {LogName} from '../log/log-name.ts';
import {listSegments, segmentPath} from '../log/segment-files.ts';
import {sha256Hex} from '../system/sha256.ts';
import {fillArchived, openSmall, recordTask} from './archived-logs.fixture.ts';
import {logFilesOf} from './log-files.ts';
import {lostNotesOf, restoreNotes, type NotesOptions} from './restore-notes.ts';
import {damageOf, salvageState} from './salvage-state.ts';

const logs: readonly LogName[] = ['events', 'traces'];
/** Copied for each test. */
let template: ArchivedHome;
let home: ArchivedHome;
let archived: Record<LogName, number>;

beforeAll(async () => {
  template = createArchivedHome();
  archived = await fillArchived(template);
});
afterAll(() => template.remove());
beforeEach(() => {
  home = createArchivedHome();
  cpSync(template.root, home.root, {recursive: true});
});
afterEach(() => home.remove());

const notesFolder = (log: LogName): string => join(logFilesOf(home.stateFolder, log).folder, 'archived');
const notePaths = (log: LogName): readonly string[] =>
  readdirSync(notesFolder(log))
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .map((name) => join(notesFolder(log), name));

/** Where the template was archived: notes contain it. */
const storeHere = (): ArchiveStore => ({...home.store, location: template.store.location});

function options(archive = storeHere()): NotesOptions & {readonly processes: ProcessRegistry} {
  return {stateFolder: home.stateFolder, processes: createProcessRegistry(), archive};
}

/** Names and bytes of the notes and the lines that are here. */
function everything(): readonly string[] {
  const here = logs.flatMap((log) => {
    const {folder} = logFilesOf(home.stateFolder, log);
    return [...notePaths(log), ...listSegments(folder).map((first) => segmentPath(folder, first))];
  });
  return here.map((path) => `${path} ${readFileSync(path, 'latin1')}`);
}

const losses: Readonly<Record<string, (paths: readonly string[]) => void>> = {
  'all notes': (paths) => paths.forEach((path) => rmSync(path)),
  'the first note': ([path = '']) => rmSync(path),
  'the last note': (paths) => rmSync(paths.at(-1) ?? ''),
  'every second note': (paths) => paths.filter((_, at) => at % 2 === 0).forEach((path) => rmSync(path)),
  'what is in a note': (paths) => truncateSync(paths.at(-1) ?? ''),
};

describe.each(logs)('archived %s that lost', (log) => {
  test.each(Object.entries(losses))('%s get the same notes again, and nothing is cut', async (_, lose) => {
    const before = everything();
    const verified = await home.verify();
    expect(verified.status).toBe('verified');
    lose(notePaths(log));
    const lost = everything();
    expect(lost).not.toEqual(before);
    expect((await home.verify()).status).not.toBe('verified');

    const found = await lostNotesOf(options());
    expect(found).toMatchObject([{log}]);
    await expect(damageOf(home.stateFolder, home.store)).rejects.toMatchObject({
      code: 'LOG_CORRUPT',
      message: expect.stringContaining('write it again first'),
    });
    await expect(salvageState({...options(), order: {...later, reason: 'x'}})).rejects.toMatchObject({
      code: 'LOG_CORRUPT',
    });
    expect(everything()).toEqual(lost);

    expect(await restoreNotes(options())).toEqual(found);
    expect(everything()).toEqual(before);
    expect(await restoreNotes(options())).toEqual([]);
    expect(await damageOf(home.stateFolder, home.store)).toEqual([]);
    expect(await home.verify()).toEqual(verified);
    const state = await openSmall(home);
    await recordTask(state, 'e');
    expect((await state.evidence.receipt('call-a'))?.finished?.result).toBe('success');
    await state.close();
    expect((await home.verify()).status).toBe('verified');
  });
});

test('all notes of both logs are written again', async () => {
  const before = everything();
  for (const log of logs) losses['all notes']?.(notePaths(log));
  expect(await restoreNotes(options())).toEqual(
    logs.map((log) => ({log, first_seq: 1, last_seq: archived[log], notes: expect.any(Number)})),
  );
  expect(everything()).toEqual(before);
});

test('notes of records that no line follows are written again, because events name the objects', async () => {
  const fresh = createArchivedHome();
  try {
    const state = await openSmall(fresh);
    for (const id of ['x', 'y']) await recordTask(state, id);
    await state.signed.checkpoint();
    await state.archive?.(later);
    await state.close();
    const folder = join(logFilesOf(fresh.stateFolder, 'traces').folder, 'archived');
    const read = (): readonly string[] =>
      readdirSync(folder)
        .toSorted()
        .map((name) => `${name} ${readFileSync(join(folder, name), 'utf8')}`);
    const before = read();
    expect(before.length).toBeGreaterThan(1);
    rmSync(folder, {recursive: true});
    await restoreNotes({stateFolder: fresh.stateFolder, processes: createProcessRegistry(), archive: fresh.store});
    expect(read()).toEqual(before);
    expect((await fresh.verify()).status).toBe('verified');
  } finally {
    await fresh.remove();
  }
});

test('objects of another log, of an interrupted archiving, and with changed bytes are passed over', async () => {
  const before = everything();
  const [key = ''] = await home.store.list('traces/');
  const bytes = (await home.store.get(key)) ?? Buffer.alloc(0);
  const put = async (last: number, content: Buffer, hash = sha256Hex(content)): Promise<void> =>
    await home.store.put(`traces/${'1'.padStart(16, '0')}-${String(last).padStart(16, '0')}-${hash}.jsonl`, content);
  await put(1, bytes.subarray(0, bytes.indexOf(0x0a) + 1));
  await put(archived.traces, Buffer.from(bytes.toString().replace('call-a', 'call-x')));
  await put(archived.traces, bytes, '0'.repeat(64));
  losses['all notes']?.(notePaths('traces'));
  await restoreNotes(options());
  expect(everything()).toEqual(before);
});

const refusals: Readonly<
  Record<
    string,
    {readonly code: string; readonly message: string; readonly prepare: () => Promise<ArchiveStore | undefined>}
  >
> = {
  'without the archive': {
    code: 'LOG_UNAVAILABLE',
    message: 'set `archive` in workspace.yaml to write it again',
    prepare: () => Promise.resolve(undefined),
  },
  'with another archive': {
    code: 'LOG_CORRUPT',
    message: 'does not contain them unchanged: restore the folder, or the archive, from a backup',
    prepare() {
      mkdirSync(join(home.root, 'other'));
      return Promise.resolve(openFolderArchive(join(home.root, 'other')));
    },
  },
  'with an archive that lost an object': {
    code: 'LOG_CORRUPT',
    message: 'does not contain them unchanged',
    async prepare() {
      for (const log of logs) await home.store.delete((await home.store.list(`${log}/`))[0] ?? '');
      return home.store;
    },
  },
  'with a changed object': {
    code: 'LOG_CORRUPT',
    message: 'does not contain them unchanged',
    async prepare() {
      for (const log of logs) {
        const path = join(home.root, 'archive', (await home.store.list(`${log}/`))[0] ?? '');
        writeFileSync(path, readFileSync(path, 'utf8').replace('"type"', '"tYpe"'));
      }
      return home.store;
    },
  },
  'without an intact line here': {
    code: 'LOG_CORRUPT',
    message: 'neither the line after them nor an event names their hash',
    prepare() {
      for (const log of logs) {
        const {folder} = logFilesOf(home.stateFolder, log);
        for (const first of listSegments(folder)) writeFileSync(segmentPath(folder, first), Buffer.alloc(200));
      }
      return Promise.resolve(home.store);
    },
  },
};

describe.each(Object.entries(refusals))('%s', (_, {code, message, prepare}) => {
  test.each(logs)('lost notes of %s are not written, and nothing is cut', async (log) => {
    losses['all notes']?.(notePaths(log));
    const archive = await prepare();
    const before = everything();
    const refused = {code, message: expect.stringContaining(message)};
    const all = {...options(), archive};
    await expect(lostNotesOf(all)).rejects.toMatchObject(refused);
    await expect(restoreNotes(all)).rejects.toMatchObject(refused);
    await expect(salvageState({...all, order: {...later, reason: 'x'}})).rejects.toMatchObject(refused);
    expect(everything()).toEqual(before);
  });
});
