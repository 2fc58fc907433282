// A checkpoint relies on tiles that are on disk, for any failure on their way there.
import {fstatSync, mkdtempSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {createProcessRegistry} from '../lock/process-registry.ts';
import {nodeFileOperations} from '../log/file-operations.ts';
import {startedRecord} from '../conformance/example-records.ts';
import {openSignedState, type SignedState} from '../state/signed-state.fixture.ts';
import {listNotes} from './note-files.ts';
import {countTiles, tileFilePath, tileHashes} from './tile-file.ts';

let root: string;
let state: SignedState;
/** Done before tiles are brought to disk. */
let beforeSync: () => Promise<void>;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'lumenflow-signed-'));
  beforeSync = async () => undefined;
  const path = tileFilePath(tree(), 0);
  state = await openSignedState({
    stateFolder: join(root, 'kernel'),
    keyFolder: join(root, 'keys'),
    processes: createProcessRegistry(),
    files: {
      ...nodeFileOperations,
      async datasync(fd) {
        if (fstatSync(fd).ino === statSync(path, {throwIfNoEntry: false})?.ino) await beforeSync();
        await nodeFileOperations.datasync(fd);
      },
    },
  });
});
afterEach(async () => {
  await state.close();
  rmSync(root, {recursive: true});
});

const tree = (): string => join(root, 'kernel', 'evidence', 'tree', 'traces');

async function record(name: string, count: number): Promise<void> {
  const records = Array.from({length: count}, (_, index) => startedRecord(`${name}-${index}`));
  await state.evidence.append(records, {fsync: false});
}

test('records that arrive during a checkpoint belong to the next one', async () => {
  await record('first', 300);
  let syncs = 0;
  beforeSync = async () => {
    syncs += 1;
    if (syncs === 1) await record('meanwhile', 300);
  };
  await state.signed.checkpoint();
  expect(listNotes(tree())).toEqual([300]);
  expect(countTiles(tileFilePath(tree(), 0))).toBe(1);
  await state.signed.checkpoint();
  expect(listNotes(tree())).toEqual([300, 600]);
  expect(countTiles(tileFilePath(tree(), 0))).toBe(Math.floor(600 / tileHashes));
  expect(await state.signed.verify()).toMatchObject({status: 'verified'});
});

test('what did not get there is not signed, and is brought there by the next one', async () => {
  await record('first', 300);
  beforeSync = () => Promise.reject(Object.assign(new Error('EIO: i/o error'), {code: 'EIO', syscall: 'fdatasync'}));
  await expect(state.signed.checkpoint()).rejects.toThrow('i/o error');
  expect(listNotes(tree())).toEqual([]);
  beforeSync = async () => undefined;
  await state.signed.checkpoint();
  expect(listNotes(tree())).toEqual([300]);
  expect(await state.signed.verify()).toMatchObject({status: 'verified'});
});
