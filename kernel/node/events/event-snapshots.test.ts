import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {ArchiveReader} from '../archive/archive-reader.ts';
import {createProcessRegistry} from '../lock/process-registry.ts';
import {WorkspaceLock} from '../lock/workspace-lock.ts';
import {segmentName} from '../log/segment-files.ts';
import {claimEvent} from '../state/claim-event.fixture.ts';
import {FileEventLog} from './file-event-log.ts';

let root: string;
let warnings: string[];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lumenflow-snapshots-'));
  warnings = [];
});
afterEach(() => rmSync(root, {recursive: true}));

const timestamp = '2026-01-02T03:04:05.678Z';
const folder = (): string => join(root, 'index', 'events');
const snapshots = (): readonly string[] => readdirSync(folder()).toSorted();

async function withLog<T>(use: (log: FileEventLog) => Promise<T> | T): Promise<T> {
  const lock = new WorkspaceLock({folder: join(root, 'lock'), processes: createProcessRegistry()});
  const log = await FileEventLog.open({
    archive: new ArchiveReader(),
    folder: join(root, 'events'),
    lock,
    fsync: false,
    rotateBytes: 2_000,
    onWarning: (message) => warnings.push(message),
    snapshots: {folder: folder(), owner: 'me', every: 10},
  });
  try {
    return await use(log);
  } finally {
    await log.close();
    lock.close();
  }
}

function add(log: FileEventLog, events: number): Promise<void> {
  return log.transact(() => ({
    events: Array.from({length: events}, (_, at) => claimEvent(`t${at}`, 's')),
    result: undefined,
  }));
}

/** The events that an opened log reports to a listener that starts from its snapshot, and the snapshot. */
function openedWith(): Promise<{text: string | undefined; received: number; seq: number}> {
  return withLog(async (log) => {
    const snapshot = log.snapshots?.newest();
    let received = 0;
    await log.onEvent(() => (received += 1), snapshot?.throughSeq);
    return {text: snapshot?.text, received, seq: (await log.read({})).at(-1)?.seq ?? 0};
  });
}

/** A log of 20 events with a snapshot through 10, and one through 20. */
async function makeTwo(): Promise<void> {
  await withLog(async (log) => {
    await add(log, 10);
    await log.snapshots?.keep('ten', timestamp);
    await add(log, 9);
    await log.snapshots?.keep('twenty', timestamp);
    await add(log, 2);
  });
}

test('a start reads only the events after the newest snapshot', async () => {
  await makeTwo();
  expect(await openedWith()).toEqual({text: 'twenty', received: 3, seq: 23});
});

test('a snapshot is due after some events, and after more of a long log', async () => {
  await withLog(async (log) => {
    await add(log, 9);
    expect(log.snapshots?.isDue()).toBe(false);
    await add(log, 1_000);
    expect(log.snapshots?.isDue()).toBe(true);
    await log.snapshots?.keep('all', timestamp);
    await add(log, 12);
    expect(log.snapshots?.isDue()).toBe(false);
    await add(log, 4);
    expect(log.snapshots?.isDue()).toBe(true);
  });
});

test('only two are kept', async () => {
  await makeTwo();
  await withLog(async (log) => {
    await log.snapshots?.keep('more', timestamp);
  });
  expect(snapshots()).toHaveLength(2);
  expect((await openedWith()).text).toBe('more');
});

const damages: readonly (readonly [string, (bytes: Buffer) => Buffer])[] = [
  ['cut', (bytes) => bytes.subarray(0, -3)],
  ['empty', () => Buffer.alloc(0)],
  ['zeroed', (bytes) => Buffer.alloc(bytes.length)],
  ['another text', (bytes) => Buffer.from(bytes.toString().replace('twenty', 'twelve'))],
  ['another position', (bytes) => Buffer.from(bytes.toString().replace('"seq":20', '"seq":19'))],
  ['not JSON', () => Buffer.from('twenty\n')],
];
test.each(damages)('%s: the one before is used', async (_, damage) => {
  await makeTwo();
  const path = join(folder(), snapshots().at(-1) ?? '');
  writeFileSync(path, damage(readFileSync(path)));
  expect(await openedWith()).toEqual({text: 'ten', received: 13, seq: 23});
});

test('without any that counts, the whole log is read', async () => {
  await makeTwo();
  for (const name of snapshots()) writeFileSync(join(folder(), name), 'x');
  expect(await openedWith()).toEqual({text: undefined, received: 23, seq: 23});
});

test('one whose event was never recorded does not count, whatever it says', async () => {
  await makeTwo();
  const last = readFileSync(join(folder(), snapshots().at(-1) ?? ''), 'utf8');
  writeFileSync(join(folder(), `${String(22).padStart(16, '0')}.snapshot`), last.replace('twenty', 'forged'));
  writeFileSync(join(folder(), `${String(21).padStart(16, '0')}.snapshot.other`), 'half of o');
  expect((await openedWith()).text).toBe('twenty');
});

test('damage behind a snapshot is reported as without one', async () => {
  await makeTwo();
  const events = join(root, 'events');
  const last = join(events, readdirSync(events).toSorted().at(-1) ?? '');
  const lines = readFileSync(last, 'utf8').split('\n');
  writeFileSync(last, [lines[0]?.replace('"actor"', '"actoR"'), ...lines.slice(1)].join('\n'));
  await expect(openedWith()).rejects.toMatchObject({code: 'LOG_CORRUPT'});
});

test('a log that was cut behind its snapshot is read as a whole', async () => {
  await makeTwo();
  const events = join(root, 'events');
  for (const name of readdirSync(events)) if (name !== segmentName(1)) rmSync(join(events, name));
  const {text, received, seq} = await openedWith();
  expect(text).toBeUndefined();
  expect(received).toBe(seq);
});

test('one that cannot be stored is a warning', async () => {
  mkdirSync(join(root, 'index'));
  writeFileSync(folder(), 'not a folder');
  await withLog(async (log) => {
    await add(log, 10);
    await log.snapshots?.keep('ten', timestamp);
    expect(log.read({})).toHaveLength(10);
  });
  expect(warnings).toEqual([expect.stringMatching(/no snapshot of the state was stored: E/u)]);
});
