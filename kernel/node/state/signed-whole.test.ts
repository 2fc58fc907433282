// Records that are made durable or signed are so with all their contents, of every process.
import {mkdtempSync, readlinkSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {createProcessRegistry} from '../lock/process-registry.ts';
import {nodeFileOperations, type FileOperations} from '../log/file-operations.ts';
import {startedRecord} from '../conformance/example-records.ts';
import {claimEvent} from './claim-event.fixture.ts';
import {openSignedState, type SignedState, type SignedStateOptions} from './signed-state.fixture.ts';

let root: string;
let opened: SignedState[];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lumenflow-signed-'));
  opened = [];
});
afterEach(async () => {
  await Promise.all(opened.map((state) => state.close()));
  rmSync(root, {recursive: true});
});

async function open(options: Partial<SignedStateOptions> = {}): Promise<SignedState> {
  const folders = {stateFolder: join(root, 'kernel'), keyFolder: join(root, 'keys')};
  const state = await openSignedState({...folders, processes: createProcessRegistry(), ...options});
  opened.push(state);
  return state;
}

/** Gives the file of its input. */
async function record({evidence, contents}: SignedState, id: string, input = JSON.stringify({id})): Promise<string> {
  const {hash, ref} = await contents.put(input);
  await evidence.append([startedRecord(id, {input_hash: hash, input_ref: ref})], {fsync: false});
  return ref.slice('inputs/'.length).split(':')[0] ?? '';
}

/** A disk that says which files were brought to it, in order. */
function watchSyncs(): {readonly files: FileOperations; readonly synced: string[]} {
  const synced: string[] = [];
  const datasync = async (fd: number): Promise<void> => {
    await nodeFileOperations.datasync(fd);
    synced.push(basename(readlinkSync(`/proc/self/fd/${fd}`)));
  };
  return {files: {...nodeFileOperations, datasync}, synced};
}

const segment = `${'1'.padStart(16, '0')}.jsonl`;

test('records of other processes go to disk with their contents, from before it opened and later', async () => {
  const [other, third] = [await open(), await open()];
  const before = await record(other, 'r1');
  const {files, synced} = watchSyncs();
  const state = await open({files});
  const meanwhile = await record(third, 'r2');
  synced.length = 0;
  await state.evidence.append([startedRecord('r3')], {fsync: true});
  expect(synced.toSorted()).toEqual([segment, before, meanwhile].toSorted());
  expect(synced.at(-1)).toBe(segment);
  synced.length = 0;
  await state.evidence.append([startedRecord('r4')], {fsync: true});
  expect(synced).toEqual([segment]);
});

test('contents of others that cannot be brought to disk keep records from being so, until they can', async () => {
  const other = await open();
  const state = await open({
    files: {
      ...nodeFileOperations,
      async datasync(fd) {
        if (fails && readlinkSync(`/proc/self/fd/${fd}`).includes('pack-')) throw new Error('EIO: i/o error');
        synced.push(basename(readlinkSync(`/proc/self/fd/${fd}`)));
      },
    },
  });
  let fails = true;
  const synced: string[] = [];
  const pack = await record(other, 'r1');
  const failed = state.evidence.append([startedRecord('r2')], {fsync: true});
  await expect(failed).rejects.toMatchObject({code: 'LOG_UNAVAILABLE'});
  fails = false;
  await state.evidence.append([startedRecord('r3')], {fsync: true});
  expect(synced).toContain(pack);
});

test('large contents that were left to the page cache are on disk before a checkpoint covers them', async () => {
  const {files, synced} = watchSyncs();
  const state = await open({files, durability: 'process'});
  const file = await record(state, 'r1', JSON.stringify('x'.repeat(100_000)));
  expect(synced).not.toContain(file);
  await state.signed.checkpoint();
  expect(synced).toContain(file);
});

test('a runtime that only recorded events signs them when it closes; one that only read signs nothing', async () => {
  const first = await open();
  await record(first, 'r1');
  await first.close();
  const second = await open();
  await second.events.transact(() => ({events: [claimEvent('task-1', 's')], result: undefined}));
  await second.close();
  const third = await open();
  expect(await third.signed.verify()).toMatchObject({status: 'verified', findings: []});
  await (await open()).events.transact(() => ({events: [claimEvent('task-2', 's')], result: undefined}));
  await third.close();
  expect((await (await open()).signed.verify()).findings).toEqual([expect.stringContaining('1 of 2 lines are behind')]);
});
