// The lines of a failed group that could not be cut off at once, and another process that wrote in between.
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createFailingDisk} from './failing-disk.fixture.ts';
import {segmentPath} from './segment-files.ts';
import {SegmentedLog} from './segmented-log.ts';

test('is not cut off after another process had the lock, because its lines may be acknowledged', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lumenflow-log-'));
  const disk = createFailingDisk();
  const open = (): SegmentedLog =>
    new SegmentedLog({folder, rotateBytes: 1_000_000, files: disk, onWarning: () => undefined});
  const [log, other] = [open(), open()];
  const append = (to: SegmentedLog, turn: number, value: string): void => {
    to.catchUp(turn);
    to.append([JSON.stringify({value})]);
  };
  append(log, 1, 'one');
  disk.room = 50;
  disk.truncateFails = true;
  expect(() => append(log, 1, 'lost')).toThrow(expect.objectContaining({code: 'LOG_UNAVAILABLE'}));
  disk.truncateFails = false;
  disk.room = Number.POSITIVE_INFINITY;
  append(other, 2, 'of another');
  append(log, 3, 'two');
  const lines = readFileSync(segmentPath(folder, 1), 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as {value: string}).value)).toEqual(['one', 'of another', 'two']);
  for (const each of [log, other]) each.close();
  rmSync(folder, {recursive: true});
});
