import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {createProcessRegistry} from '../lock/process-registry.ts';
import {WorkspaceLock} from '../lock/workspace-lock.ts';
import {createFailingDisk, type FailingDisk} from '../log/failing-disk.fixture.ts';
import {segmentName} from '../log/segment-files.ts';
import {SegmentedLog} from '../log/segmented-log.ts';
import {RecordWriter} from './record-writer.ts';

let folder: string;
let disk: FailingDisk;
let lock: WorkspaceLock;
let log: SegmentedLog;
let writer: RecordWriter;
let blobSyncs: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lumenflow-writer-'));
  disk = createFailingDisk();
  blobSyncs = 0;
  lock = new WorkspaceLock({folder: join(folder, 'lock'), processes: createProcessRegistry(), timeoutMs: 50});
  log = new SegmentedLog({folder, rotateBytes: 1_000_000, files: disk, onWarning: (message) => expect.fail(message)});
  const syncBlobs = async (): Promise<void> => {
    blobSyncs += 1;
  };
  const contents = {noticeDeletions: () => undefined, canRecord: () => true};
  writer = new RecordWriter({log, lock, contents, syncBlobs});
});
afterEach(async () => {
  await writer.settle();
  lock.close();
  log.close();
  rmSync(folder, {recursive: true});
});

function append(value: unknown, fsync = false): Promise<void> {
  return writer.append([JSON.stringify({value})], {fsync});
}

function values(): unknown[] {
  const lines = readFileSync(join(folder, segmentName(1)), 'utf8')
    .trimEnd()
    .split('\n')
    .filter(Boolean);
  return lines.map((line) => (JSON.parse(line) as {value: unknown}).value);
}

/** A disk whose syncs end when they are let. */
function pauseSyncs(): () => void {
  let release = (): void => undefined;
  disk.datasync = () => {
    disk.syncs += 1;
    return new Promise((resolve) => {
      release = resolve;
    });
  };
  return () => release();
}

test('timers run while one record is appended after the other', async () => {
  const ticks: number[] = [];
  const timer = setInterval(() => ticks.push(1), 1);
  for (let appended = 0; ticks.length < 3 && appended < 100_000; appended += 1) await append(appended);
  clearInterval(timer);
  expect(ticks).toHaveLength(3);
});

describe('groups', () => {
  test('are written whole, in the order of their appends', async () => {
    await Promise.all([
      writer.append(['{"value":1}', '{"value":2}'], {fsync: true}),
      append(3),
      writer.append(['{"value":4}', '{"value":5}'], {fsync: false}),
    ]);
    expect(values()).toEqual([1, 2, 3, 4, 5]);
  });

  test('share one sync, which comes after that of the blobs', async () => {
    await Promise.all(Array.from({length: 50}, (_, index) => append(index, true)));
    expect(disk.syncs).toBe(1);
    expect(blobSyncs).toBe(1);
  });

  test('that need no disk do not wait for those that do', async () => {
    const release = pauseSyncs();
    let synced = false;
    const slow = (async () => {
      await append('slow', true);
      synced = true;
    })();
    await append('quick');
    await append('quick too');
    expect(synced).toBe(false);
    expect(values()).toEqual(['slow', 'quick', 'quick too']);
    release();
    await slow;
    expect(synced).toBe(true);
  });

  test('that arrive during a sync do not count as being on disk', async () => {
    const release = pauseSyncs();
    await append('before');
    const size = writer.size({fsync: true});
    await expect.poll(() => disk.syncs).toBe(1);
    await append('meanwhile');
    release();
    expect(await size).toBe(1);
    expect(await writer.size({fsync: false})).toBe(2);
  });

  test('that arrive during a sync get another one', async () => {
    const release = pauseSyncs();
    const first = append(1, true);
    await append(2);
    const later = [append(3, true), append(4, true)];
    await append(5);
    expect(disk.syncs).toBe(1);
    release();
    await first;
    await expect.poll(() => disk.syncs).toBe(2);
    release();
    await Promise.all(later);
    expect(disk.syncs).toBe(2);
  });
});

describe('failures', () => {
  test('of a write reject the whole group, and the next one succeeds', async () => {
    await append('one');
    disk.room = 150;
    const group = [append('lost'), append('lost', true), append('lost')];
    for (const outcome of await Promise.allSettled(group)) {
      expect(outcome).toMatchObject({status: 'rejected', reason: {code: 'LOG_UNAVAILABLE'}});
    }
    expect(values()).toEqual(['one']);
    disk.room = Number.POSITIVE_INFINITY;
    await append('two', true);
    expect(values()).toEqual(['one', 'two']);
  });

  test('of a sync reject those that requested it', async () => {
    disk.syncFails = true;
    const outcomes = await Promise.allSettled([append('a', true), append('b')]);
    expect(outcomes).toMatchObject([{status: 'rejected', reason: {code: 'LOG_UNAVAILABLE'}}, {status: 'fulfilled'}]);
    disk.syncFails = false;
    await append('c', true);
  });

  test('to get the lock reject the group, and the next one tries again', async () => {
    const other = new WorkspaceLock({folder: join(folder, 'lock'), processes: createProcessRegistry()});
    await other.enter();
    await expect(append('refused')).rejects.toMatchObject({code: 'LOCK_UNAVAILABLE'});
    const waiting = append('waited');
    other.leave();
    await waiting;
    expect(values()).toEqual(['waited']);
    other.close();
  });
});
