import {appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {sha256Hex} from '../system/sha256.ts';
import {createFailingDisk, type FailingDisk} from './failing-disk.fixture.ts';
import {LogCursor} from './log-cursor.ts';
import {segmentName, syncSegments} from './segment-files.ts';
import {SegmentedLog} from './segmented-log.ts';

let folder: string;
let logs: SegmentedLog[];
let warnings: string[];
let disk: FailingDisk;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lumenflow-log-'));
  logs = [];
  warnings = [];
  disk = createFailingDisk();
});
afterEach(() => {
  for (const log of logs) log.close();
  rmSync(folder, {recursive: true});
});

function open(rotateBytes = 1_000_000): SegmentedLog {
  const log = new SegmentedLog({folder, rotateBytes, files: disk, onWarning: (message) => warnings.push(message)});
  logs.push(log);
  return log;
}

/** As under the lock. */
function append(log: SegmentedLog, ...values: unknown[]): void {
  log.catchUp();
  log.append(values.map((value) => JSON.stringify({value})));
}

function values(): unknown[] {
  const cursor = new LogCursor({folder});
  const found: unknown[] = [];
  const stop = cursor.advance((line) => void found.push((JSON.parse(line.toString()) as {value: unknown}).value));
  cursor.close();
  expect(stop.kind).toBe('end');
  return found;
}

const first = segmentName(1);

describe('the chain', () => {
  test('each line has its number and the hash of the line before', () => {
    append(open(), 'a', 'ü');
    const text = readFileSync(join(folder, first), 'utf8');
    const [one = '', two = ''] = text.split('\n');
    expect(JSON.parse(one)).toEqual({seq: 1, prev: '0'.repeat(64), value: 'a'});
    expect(JSON.parse(two)).toEqual({seq: 2, prev: sha256Hex(one), value: 'ü'});
    expect(text.endsWith('\n')).toBe(true);
  });

  test('continues after a restart and over alternating writers', () => {
    const [one, two] = [open(), open()];
    append(one, 1);
    append(two, 2, 3);
    append(one, 4);
    append(open(), 5);
    expect(values()).toEqual([1, 2, 3, 4, 5]);
  });

  test('an empty object is a record, too', () => {
    const log = open();
    log.append(['{}', '{}']);
    expect(values()).toEqual([undefined, undefined]);
  });

  test('continues over segments, which others follow', () => {
    const [one, two] = [open(200), open(200)];
    for (let value = 0; value < 10; value += 1) append(value % 3 === 0 ? one : two, value);
    expect(readdirSync(folder).length).toBeGreaterThan(3);
    expect(values()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    append(open(200), 10);
    expect(values()).toHaveLength(11);
  });

  test('has lines longer than one read', () => {
    const long = 'x'.repeat(700_000);
    append(open(), 'a', long, 'b', long);
    append(open(), 'c');
    expect(values()).toEqual(['a', long, 'b', long, 'c']);
  });
});

describe('a torn end', () => {
  test('of the last line, at every byte, is cut off and the rest remains', () => {
    append(open(), 'one', 'two', 'three');
    const whole = readFileSync(join(folder, first));
    const lastLine = whole.lastIndexOf('\n', whole.length - 2) + 1;
    for (let length = lastLine + 1; length < whole.length; length += 1) {
      writeFileSync(join(folder, first), whole.subarray(0, length));
      warnings = [];
      append(open(), 'next');
      expect(values()).toEqual(['one', 'two', 'next']);
      expect(warnings).toEqual([expect.stringContaining('torn line 3')]);
    }
  });

  test.each([
    ['of zeros', Buffer.alloc(300)],
    ['of a line that is no JSON', Buffer.from('{"seq":2,"prev":"00\n')],
    ['of an empty line', Buffer.from('\n')],
  ])('%s is cut off', (_, tail) => {
    append(open(), 'one');
    appendFileSync(join(folder, first), tail);
    append(open(), 'two');
    expect(values()).toEqual(['one', 'two']);
    expect(warnings).toHaveLength(1);
  });

  test('that another writer left while this one was running', () => {
    const log = open();
    append(log, 'one');
    appendFileSync(join(folder, first), '{"seq":2,"prev":');
    append(log, 'two');
    expect(values()).toEqual(['one', 'two']);
  });

  test('of nothing but a torn first line, or an empty file', () => {
    writeFileSync(join(folder, first), '{"seq":1,"pr');
    append(open(), 'one');
    expect(values()).toEqual(['one']);
  });

  test('in a new segment: empty, torn or no JSON', () => {
    append(open(10), 'one');
    for (const tail of ['', '{"se', '{"se\n']) {
      writeFileSync(join(folder, segmentName(2)), tail);
      append(open(10), 'two');
      expect(values()).toEqual(['one', 'two']);
      rmSync(join(folder, segmentName(2)));
    }
  });
});

describe('damage before the end', () => {
  const corrupt = (line: number, reason: string) => ({
    code: 'LOG_CORRUPT',
    message: expect.stringMatching(new RegExp(`${first}.* line ${line} ${reason}`, 'u')) as string,
  });

  test('two lines that are not records', () => {
    append(open(), 'one');
    appendFileSync(join(folder, first), 'garbage\nmore\n');
    expect(() => open()).toThrow(expect.objectContaining({code: 'LOG_CORRUPT'}));
  });

  test('a line of another chain', () => {
    const log = open();
    append(log, 'one');
    appendFileSync(join(folder, first), `{"seq":2,"prev":"${'1'.repeat(64)}"}\n`);
    expect(() => log.catchUp()).toThrow(expect.objectContaining(corrupt(2, 'does not continue the chain')));
  });

  test('a line with another number', () => {
    const log = open();
    append(log, 'one');
    appendFileSync(join(folder, first), `{"seq":4,"prev":"${'1'.repeat(64)}"}\n`);
    expect(() => log.catchUp()).toThrow(expect.objectContaining(corrupt(2, 'has seq 4 where 2 was due')));
  });

  test('a file that was cut or deleted while in use', () => {
    const [one, two] = [open(), open()];
    append(one, 'one', 'two');
    truncateSync(join(folder, first), 10);
    expect(() => one.catchUp()).toThrow(expect.objectContaining({code: 'LOG_CORRUPT'}));
    rmSync(join(folder, first));
    append(two, 'one');
    rmSync(join(folder, first));
    expect(() => two.catchUp()).toThrow(expect.objectContaining({code: 'LOG_CORRUPT'}));
  });

  test('a torn line before a segment', () => {
    append(open(10), 'one');
    append(open(10), 'two');
    const path = join(folder, first);
    const log = open(10);
    truncateSync(path, readFileSync(path).length - 5);
    expect(() => log.catchUp()).not.toThrow();
    rmSync(join(folder, segmentName(2)));
    writeFileSync(join(folder, segmentName(2)), '');
    expect(() => open(10)).toThrow(expect.objectContaining({code: 'LOG_CORRUPT'}));
  });

  test('a missing segment before an empty one', () => {
    append(open(10), 'one');
    append(open(10), 'two');
    writeFileSync(join(folder, segmentName(3)), '');
    rmSync(join(folder, segmentName(2)));
    expect(() => open(10)).toThrow(/lines before seq 3 are missing/u);
  });
});

describe('a disk that fails', () => {
  test('full: no line of the group remains, and the log continues when there is space', () => {
    const log = open();
    append(log, 'one');
    for (const room of [0, 1, 50, 130, 200]) {
      disk.room = room;
      const failed = {code: 'LOG_UNAVAILABLE', message: expect.stringContaining('ENOSPC') as string};
      expect(() => append(log, 'lost', 'lost too')).toThrow(expect.objectContaining(failed));
      expect(values()).toEqual(['one']);
    }
    disk.room = Number.POSITIVE_INFINITY;
    append(log, 'two');
    expect(values()).toEqual(['one', 'two']);
    expect(warnings).toEqual([]);
  });

  test('full at the beginning of a segment', () => {
    const log = open(10);
    append(log, 'one');
    disk.room = 20;
    expect(() => append(log, 'lost')).toThrow(expect.objectContaining({code: 'LOG_UNAVAILABLE'}));
    disk.room = Number.POSITIVE_INFINITY;
    append(open(10), 'from another');
    expect(() => append(log, 'two')).not.toThrow();
    expect(values()).toEqual(['one', 'from another', 'two']);
  });

  test('full and unable to cut: the remains are cut before anything else', () => {
    const log = open();
    append(log, 'one');
    disk.room = 130;
    disk.truncateFails = true;
    expect(() => append(log, 'lost', 'lost too')).toThrow(expect.objectContaining({code: 'LOG_UNAVAILABLE'}));
    expect(() => log.catchUp()).toThrow(expect.objectContaining({code: 'LOG_UNAVAILABLE'}));
    disk.truncateFails = false;
    disk.room = Number.POSITIVE_INFINITY;
    append(log, 'two');
    expect(values()).toEqual(['one', 'two']);
  });

  test('a failed sync is reported', async () => {
    const log = open();
    append(log, 'one');
    disk.syncFails = true;
    await expect(log.datasync()).rejects.toMatchObject({code: 'LOG_UNAVAILABLE'});
    disk.syncFails = false;
    await log.datasync();
  });

  test('the last lines can be removed', () => {
    const log = open(150);
    append(log, 'one');
    for (const value of ['a', 'b']) {
      const before = log.position;
      append(log, value);
      log.cutBack(before);
      append(log, `kept ${value}`);
    }
    expect(values()).toEqual(['one', 'kept a', 'kept b']);
  });

  test('a sync covers filled segments, too', async () => {
    const log = open(10);
    append(log, 'one');
    append(log, 'two');
    append(log, 'three');
    await log.datasync();
    expect(disk.syncs).toBe(3);
    await log.datasync();
    expect(disk.syncs).toBe(4);
    disk.syncs = 0;
    await syncSegments(disk, folder, 1);
    expect(disk.syncs).toBe(2);
    await syncSegments(disk, folder, 0);
    expect(disk.syncs).toBe(5);
  });
});

test('a cursor stops on request, and continues from there', () => {
  append(open(200), ...Array.from({length: 10}, (_, value) => value));
  const cursor = new LogCursor({folder});
  const seen: number[] = [];
  expect(cursor.advance((_, {seq}) => void seen.push(seq), 3).kind).toBe('limit');
  const {position} = cursor;
  expect(cursor.advance((_, {seq}) => seq < 6).kind).toBe('wrong');
  expect(cursor.position.seq).toBe(5);
  cursor.moveTo(position);
  expect(cursor.advance((_, {seq}) => void seen.push(seq)).kind).toBe('end');
  expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  cursor.close();
});
