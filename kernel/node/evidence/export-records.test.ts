import {appendFileSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {ArchiveReader} from '../archive/archive-reader.ts';
import {nodeFileOperations} from '../log/file-operations.ts';
import {segmentPath} from '../log/segment-files.ts';
import {SegmentedLog} from '../log/segmented-log.ts';
import {finishedRecord, startedRecord} from '../conformance/example-records.ts';
import {exportRecords} from './export-records.ts';
import {recordBody} from './record-body.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lumenflow-export-'));
  const log = new SegmentedLog({folder, rotateBytes: 20_000, files: nodeFileOperations, onWarning: () => undefined});
  for (let call = 0; call < 1_200; call += 1) {
    log.append([startedRecord(`r${call}`, {task_id: `t${call % 3}`}), finishedRecord(`r${call}`)].map(recordBody));
  }
  log.close();
});
afterEach(() => rmSync(folder, {recursive: true}));

async function count(filter: Parameters<typeof exportRecords>[1]): Promise<number> {
  let lines = 0;
  for await (const line of exportRecords({folder, archive: new ArchiveReader()}, filter)) {
    expect(line.endsWith('}\n')).toBe(true);
    lines += 1;
  }
  return lines;
}

test('all segments are exported, or the calls that are asked for', async () => {
  expect(await count({})).toBe(2_400);
  expect(await count({task_id: 't1'})).toBe(800);
  expect(await count({since: '2027-01-01T00:00:00.000Z'})).toBe(0);
});

test('a reader may stop early', async () => {
  for await (const line of exportRecords({folder, archive: new ArchiveReader()}, {})) {
    expect(line).toContain('"r0"');
    break;
  }
});

test('a line that is not a record ends the export with an error; a torn one counts as the end', async () => {
  const log = new SegmentedLog({folder, rotateBytes: 20_000, files: nodeFileOperations, onWarning: () => undefined});
  const {segment} = log.position;
  log.close();
  appendFileSync(segmentPath(folder, segment), '{"seq":2401,"prev');
  expect(await count({})).toBe(2_400);
  appendFileSync(segmentPath(folder, segment), '\n');
  await expect(count({})).rejects.toMatchObject({code: 'LOG_CORRUPT'});
});
