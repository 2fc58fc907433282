// Published logs, as their clients read them, after crashes and damage.
import {openNote} from '@lumenflow/kernel/adapters';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {finishedRecord, startedRecord} from '../conformance/example-records.ts';
import {createProcessRegistry} from '../lock/process-registry.ts';
import type {LineCursor} from '../log/line-cursor.ts';
import {fileLogs} from '../signed-log/file-logs.ts';
import type {LogSource} from '../signed-log/log-reader.ts';
import {parseVerifierKey, readVerifierKeys} from '../signed-log/note-key.ts';
import {claimEvent} from '../state/claim-event.fixture.ts';
import {openSignedState} from '../state/signed-state.fixture.ts';
import {sha256Hex} from '../system/sha256.ts';
import {readPublished} from './read-published.fixture.ts';
import {publishTiles, type PublishedTiles} from './publish-tiles.ts';

/** The same log at two times: of 300 and of 600 lines. */
let logs: string;
const [earlier, later] = ['earlier', 'later'];
let root: string;
let folder: string;

beforeAll(async () => {
  logs = mkdtempSync(join(tmpdir(), 'lumenflow-tiles-'));
  await append(150);
  cpSync(join(logs, 'kernel'), join(logs, earlier), {recursive: true});
  await append(150);
  cpSync(join(logs, 'kernel'), join(logs, later), {recursive: true});
});
afterAll(() => rmSync(logs, {recursive: true}));
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lumenflow-published-'));
  folder = join(root, 'published');
});
afterEach(() => rmSync(root, {recursive: true}));

async function append(calls: number): Promise<void> {
  const state = await openSignedState({
    stateFolder: join(logs, 'kernel'),
    keyFolder: join(logs, 'keys'),
    processes: createProcessRegistry(),
    durability: 'process',
  });
  const ids = Array.from({length: calls}, (_, call) => `r${calls}-${call}`);
  await state.evidence.append(
    ids.flatMap((id) => [startedRecord(id), finishedRecord(id)]),
    {fsync: false},
  );
  await state.events.transact(() => ({events: [claimEvent(`t${calls}`, 's')], result: undefined}));
  await state.close();
}

const keys = (): readonly string[] => readVerifierKeys(join(logs, 'keys'));

async function publish(state: string, to = folder): Promise<PublishedTiles> {
  return await publishTiles({logs: fileLogs(join(logs, state)), keys: keys()}, to);
}

function linesOf(state: string): readonly string[] {
  const traces = join(logs, state, 'evidence', 'traces');
  const texts = readdirSync(traces)
    .toSorted()
    .map((name) => readFileSync(join(traces, name), 'utf8'));
  return texts
    .join('')
    .split('\n')
    .slice(0, -1)
    .map((line) => sha256Hex(line));
}

function filesIn(path: string): readonly string[] {
  return readdirSync(path, {recursive: true, encoding: 'utf8', withFileTypes: true})
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

test('a client of the specification gets the hash of each line', async () => {
  expect(await publish(later)).toEqual({records: 600, events: 2});
  expect(readPublished(folder)).toEqual(linesOf(later));
  expect(readPublished(folder, 'events', 'events')).toHaveLength(2);
});

test('no record is disclosed', async () => {
  await publish(later);
  for (const file of filesIn(folder)) expect(readFileSync(file).includes('file:read')).toBe(false);
  expect(readFileSync(join(logs, later, 'evidence', 'traces', '0000000000000001.jsonl'), 'utf8')).toContain(
    'tool_name',
  );
});

test('a published log is continued, and its older tiles remain', async () => {
  await publish(earlier);
  expect(readPublished(folder)).toEqual(linesOf(earlier));
  const before = filesIn(folder);
  await publish(later);
  expect(readPublished(folder)).toEqual(linesOf(later));
  expect(filesIn(folder)).toEqual(expect.arrayContaining([...before]));
  const written = filesIn(folder);
  await publish(later);
  expect(filesIn(folder)).toEqual(written);
});

describe('a log with a checkpoint of an earlier version, which has one signature,', () => {
  test('is published, and continues', async () => {
    const old = join(root, 'old');
    cpSync(join(logs, earlier), old, {recursive: true});
    const notes = join(old, 'evidence', 'tree', 'traces');
    for (const name of readdirSync(notes).filter((each) => each.endsWith('.note'))) {
      const text = readFileSync(join(notes, name), 'utf8');
      writeFileSync(join(notes, name), text.replace(/— \S+\/traces .*\n$/u, ''));
    }
    await publishTiles({logs: fileLogs(old), keys: keys()}, folder);
    const [first = ''] = readFileSync(join(folder, 'keys'), 'utf8').split('\n');
    const verifier = parseVerifierKey(first);
    const note = readFileSync(join(folder, 'records', 'checkpoint'), 'utf8');
    expect(note.match(/^— /gmu)).toHaveLength(1);
    expect(verifier && openNote(note, [verifier])).toBeDefined();
    await publish(later);
    expect(readPublished(folder)).toEqual(linesOf(later));
  });
});

/** Stops as a killed process does, after it has read some lines in the pass that writes. */
function interrupted(log: LogSource, advances: number): LogSource {
  let opened = 0;
  const cursor = (): LineCursor => {
    const inner = log.cursor();
    opened += 1;
    if (opened < 2) return inner;
    let left = advances;
    return {
      get position() {
        return inner.position;
      },
      moveTo: (position) => inner.moveTo(position),
      skip: (line, place) => inner.skip(line, place),
      advance(visit, limit) {
        left -= 1;
        if (left < 0) throw new Error('killed');
        return inner.advance(visit, limit);
      },
      close: () => inner.close(),
    };
  };
  return {...log, cursor, where: (line) => log.where(line)};
}

describe('a crash', () => {
  test.each([0, 1, 2])(
    'after %i tiles leaves the older log, and the next run completes the newer one',
    async (count) => {
      await publish(earlier);
      const {events, traces} = fileLogs(join(logs, later));
      const source = {logs: {events, traces: interrupted(traces, count)}, keys: keys()};
      await expect(publishTiles(source, folder)).rejects.toThrow('killed');
      expect(readPublished(folder)).toEqual(linesOf(earlier));
      await publish(later);
      expect(readPublished(folder)).toEqual(linesOf(later));
    },
  );

  test('after the first file leaves a folder that the next run accepts', async () => {
    const {events, traces} = fileLogs(join(logs, later));
    await expect(
      publishTiles({logs: {events: interrupted(events, 0), traces}, keys: keys()}, folder),
    ).rejects.toThrow();
    expect(readdirSync(folder)).toEqual(['keys']);
    await publish(later);
    expect(readPublished(folder)).toEqual(linesOf(later));
  });
});

describe('a published file', () => {
  const damages = {
    cut: (path: string) => truncateSync(path, 100),
    empty: (path: string) => truncateSync(path, 0),
    zeroed: (path: string) => writeFileSync(path, Buffer.alloc(readFileSync(path).length)),
    deleted: (path: string) => rmSync(path),
  };
  const names = ['tile/0/001', 'tile/0/002.p/88', 'tile/1/000.p/2', 'tile/entries/000'];
  test.each(Object.entries(damages))('that was %s is replaced', async (_, damage) => {
    await publish(later);
    for (const name of names) damage(join(folder, 'records', name));
    expect(() => readPublished(folder)).toThrow();
    await publish(later);
    expect(readPublished(folder)).toEqual(linesOf(later));
  });
});

describe('nothing is written', () => {
  async function expectUnchanged(work: () => Promise<unknown>, message: RegExp): Promise<void> {
    const hashes = (): unknown => filesIn(folder).map((file) => [file, sha256Hex(readFileSync(file))]);
    const before = hashes();
    await expect(work()).rejects.toThrow(message);
    expect(hashes()).toEqual(before);
  }

  test('of a log that was rolled back', async () => {
    await publish(later);
    await expectUnchanged(() => publish(earlier), /was rolled back/u);
  });

  test('of a log that was changed', async () => {
    await publish(earlier);
    const changed = join(root, 'changed');
    cpSync(join(logs, later), changed, {recursive: true});
    const path = join(changed, 'evidence', 'traces', '0000000000000001.jsonl');
    const lines = readFileSync(path, 'utf8').split('\n');
    const line = lines[598]?.replace('tool_call_started', 'tool_call_changed') ?? '';
    writeFileSync(path, lines.with(598, line).join('\n'));
    await expectUnchanged(
      () => publishTiles({logs: fileLogs(changed), keys: keys()}, folder),
      /does not continue the chain|are not those that were signed/u,
    );
  });

  test('over a checkpoint that another key signed', async () => {
    await publish(earlier);
    const path = join(folder, 'records', 'checkpoint');
    writeFileSync(path, readFileSync(path, 'utf8').replace(/^300$/mu, '299'));
    await expectUnchanged(
      () => publish(later),
      /the published `checkpoint` is not a checkpoint signed by a known key/u,
    );
  });

  test('into a folder with something else', async () => {
    mkdirSync(folder);
    writeFileSync(join(folder, 'notes.txt'), 'mine');
    await expectUnchanged(() => publish(later), /is not empty, and contains no published log/u);
  });

  test('over a file', async () => {
    writeFileSync(folder, 'mine');
    await expect(publish(later)).rejects.toThrow(/is not a directory/u);
    expect(readFileSync(folder, 'utf8')).toBe('mine');
  });

  test('into the folder of another log', async () => {
    mkdirSync(folder);
    writeFileSync(join(folder, 'keys'), 'other+12345678+AAAA\n');
    await expectUnchanged(() => publish(later), /contains another log/u);
  });

  test('through a link', async () => {
    await publish(earlier);
    const elsewhere = join(root, 'elsewhere');
    mkdirSync(elsewhere);
    rmSync(join(folder, 'records', 'tile', 'entries'), {recursive: true});
    symlinkSync(elsewhere, join(folder, 'records', 'tile', 'entries'));
    await expect(publish(later)).rejects.toThrow(/symbolic link/u);
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test('of a log that is not signed', async () => {
    await expect(publish('none')).rejects.toThrow(/contains no checkpoint/u);
  });
});
