// What a log may leave out while its writer keeps the lock, and what it may not.
import {mkdtempSync, rmSync, truncateSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {nodeFileOperations} from './file-operations.ts';
import {segmentName} from './segment-files.ts';
import {SegmentedLog} from './segmented-log.ts';

let folder: string;
let logs: SegmentedLog[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lumenflow-log-'));
  logs = [];
});
afterEach(() => {
  for (const log of logs) log.close();
  rmSync(folder, {recursive: true});
});

function open(rotateBytes: number): SegmentedLog {
  const log = new SegmentedLog({folder, rotateBytes, files: nodeFileOperations, onWarning: () => undefined});
  logs.push(log);
  return log;
}

function append(log: SegmentedLog, turn: number): number {
  log.catchUp(turn);
  log.append(['{}']);
  return log.position.seq;
}

test('the first look of a turn sees the segments that another writer began', () => {
  const [one, two] = [open(1), open(1)];
  expect([append(one, 1), append(one, 1), append(two, 2), append(two, 2), append(one, 3)]).toEqual([1, 2, 3, 4, 5]);
});

test.each(['cut', 'deleted'])('a file that was %s within a turn is noticed', (how) => {
  const log = open(1_000_000);
  append(log, 7);
  append(log, 7);
  const path = join(folder, segmentName(1));
  if (how === 'cut') truncateSync(path, 10);
  else rmSync(path);
  expect(() => log.catchUp(7)).toThrow(expect.objectContaining({code: 'LOG_CORRUPT'}));
});
