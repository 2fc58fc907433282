import {appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {NewEvent} from '@lumenflow/kernel/adapters';
import type {KernelEvent} from '@lumenflow/schemas';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {ArchiveReader} from '../archive/archive-reader.ts';
import {createProcessRegistry} from '../lock/process-registry.ts';
import {WorkspaceLock} from '../lock/workspace-lock.ts';
import {createFailingDisk, type FailingDisk} from '../log/failing-disk.fixture.ts';
import {segmentName} from '../log/segment-files.ts';
import {claimEvent} from '../state/claim-event.fixture.ts';
import {FileEventLog} from './file-event-log.ts';

let root: string;
let disk: FailingDisk;
let closers: (() => Promise<void> | void)[];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lumenflow-events-'));
  disk = createFailingDisk();
  closers = [];
});
afterEach(async () => {
  for (const close of closers.toReversed()) await close();
  rmSync(root, {recursive: true});
});

async function open(rotateBytes = 1_000_000): Promise<FileEventLog> {
  const lock = new WorkspaceLock({folder: join(root, 'lock'), processes: createProcessRegistry()});
  closers.push(() => lock.close());
  const events = await FileEventLog.open({
    archive: new ArchiveReader(),
    folder: join(root, 'events'),
    lock,
    fsync: true,
    rotateBytes,
    files: disk,
  });
  closers.push(() => events.close());
  return events;
}

function add(log: FileEventLog, ...tasks: string[]): Promise<number> {
  return log.transact(() => ({events: tasks.map((task) => claimEvent(task, 's')), result: tasks.length}));
}

function watch(log: FileEventLog): string[] {
  const seen: string[] = [];
  void log.onEvent((event) => seen.push(`${event.seq} ${'task_id' in event ? event.task_id : ''}`));
  return seen;
}

describe('listeners', () => {
  test('see all events in order, old and new, own and foreign, before the transaction ends', async () => {
    const one = await open();
    await add(one, 'a', 'b');
    const seen = watch(one);
    expect(seen).toEqual(['1 a', '2 b']);
    const two = await open();
    await add(two, 'c');
    await one.transact(() => {
      expect(seen).toEqual(['1 a', '2 b', '3 c']);
      return {events: [claimEvent('d', 's')], result: 0};
    });
    expect(seen).toEqual(['1 a', '2 b', '3 c', '4 d']);
    const late = watch(two);
    expect(late).toEqual(['1 a', '2 b', '3 c']);
    two.refresh();
    expect(late).toEqual(seen);
  });

  test('can be unsubscribed', async () => {
    const log = await open();
    const seen: KernelEvent[] = [];
    const stop = await log.onEvent((event) => seen.push(event));
    stop();
    await add(log, 'a');
    expect(seen).toEqual([]);
  });
});

describe('reading', () => {
  test('from any place, over segments', async () => {
    const log = await open(5_000);
    for (let batch = 0; batch < 60; batch += 1) {
      await add(log, ...Array.from({length: 10}, (_, index) => `t${batch * 10 + index + 1}`));
    }
    for (const afterSeq of [0, 1, 255, 256, 257, 511, 512, 599, 600, 700]) {
      const seqs = (await log.read({afterSeq})).map((event) => event.seq);
      expect(seqs).toEqual(Array.from({length: Math.max(0, 600 - afterSeq)}, (_, index) => afterSeq + index + 1));
      expect((await log.read({afterSeq, limit: 3})).map((event) => event.seq)).toEqual(seqs.slice(0, 3));
    }
    expect((await (await open(5_000)).read({})).at(-1)).toMatchObject({seq: 600, task_id: 't600'});
  });
});

describe('transactions', () => {
  test('run one after another, each on what the one before left', async () => {
    const log = await open();
    const counts = await Promise.all(
      Array.from({length: 20}, () =>
        log.transact(() => ({events: [claimEvent('t', 's')], result: (log.read({}) as readonly KernelEvent[]).length})),
      ),
    );
    expect(counts).toEqual(Array.from({length: 20}, (_, index) => index));
  });

  test('a decision that throws records nothing, and the next one succeeds', async () => {
    const log = await open();
    const failure = log.transact(() => {
      throw new Error('no');
    });
    await expect(failure).rejects.toThrow('no');
    await add(log, 'a');
    expect(log.read({})).toHaveLength(1);
  });

  test('without events cost no sync', async () => {
    const log = await open();
    expect(await log.transact(() => ({events: [], result: 'looked'}))).toBe('looked');
    expect(disk.syncs).toBe(0);
  });

  test('an event that fits no schema is refused: written, it would spoil the log', async () => {
    const log = await open();
    const odd = {...claimEvent('a', 's'), extra: 1} as unknown as NewEvent;
    const broken = log.transact(() => ({events: [claimEvent('ok', 's'), odd], result: 0}));
    await expect(broken).rejects.toMatchObject({code: 'BROKEN_INVARIANT'});
    expect(log.read({})).toEqual([]);
  });
});

describe('a disk that fails', () => {
  test.each([
    ['no room', {room: 100}, 'ENOSPC'],
    ['no sync', {syncFails: true}, 'EIO'],
  ] as const)('%s: no event is recorded or published', async (_, failing, reason) => {
    const log = await open();
    await add(log, 'a');
    const seen = watch(log);
    Object.assign(disk, failing);
    await expect(add(log, 'lost', 'lost too')).rejects.toMatchObject({
      code: 'LOG_UNAVAILABLE',
      message: expect.stringContaining(reason) as string,
    });
    expect((await open()).read({})).toHaveLength(1);
    Object.assign(disk, {room: Number.POSITIVE_INFINITY, syncFails: false});
    await add(log, 'b');
    expect(seen).toEqual(['1 a', '2 b']);
  });

  test('events that failed and cannot be cut off yet are not seen, and are gone once they can', async () => {
    const log = await open();
    await add(log, 'a');
    const seen = watch(log);
    Object.assign(disk, {syncFails: true, truncateFails: true});
    await expect(add(log, 'lost')).rejects.toMatchObject({code: 'LOG_UNAVAILABLE'});
    log.refresh();
    expect(seen).toEqual(['1 a']);
    Object.assign(disk, {syncFails: false, truncateFails: false});
    await add(log, 'b');
    expect(seen).toEqual(['1 a', '2 b']);
  });

  test('events that are not on disk yet are not seen', async () => {
    const log = await open();
    const seen = watch(log);
    const {datasync} = disk;
    let looked: string[] | undefined;
    disk.datasync = async (fd) => {
      log.refresh();
      looked = [...seen];
      await datasync(fd);
    };
    await add(log, 'a');
    expect(looked).toEqual([]);
    expect(seen).toEqual(['1 a']);
  });
});

describe('opening', () => {
  const path = (): string => join(root, 'events', segmentName(1));

  test('cuts a torn end', async () => {
    await add(await open(), 'a');
    appendFileSync(path(), '{"seq":2,"pr');
    expect((await open()).read({})).toHaveLength(1);
    expect(readFileSync(path(), 'utf8').endsWith('}\n')).toBe(true);
  });

  test('names the line that is damaged', async () => {
    await add(await open(), 'a', 'b', 'c');
    writeFileSync(path(), readFileSync(path(), 'utf8').replace('"task_id":"b"', '"task_id":"x"'));
    await expect(open()).rejects.toMatchObject({
      code: 'LOG_CORRUPT',
      message: expect.stringMatching(/line 3 does not continue the chain/u) as string,
    });
  });

  test('names a segment that is missing', async () => {
    const log = await open(10);
    for (const task of ['a', 'b', 'c', 'd']) await add(log, task);
    rmSync(join(root, 'events', segmentName(3)));
    await expect(open(10)).rejects.toMatchObject({
      code: 'LOG_CORRUPT',
      message: expect.stringMatching(/is missing/u) as string,
    });
  });
});
