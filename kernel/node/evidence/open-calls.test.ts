import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {createProcessRegistry} from '../lock/process-registry.ts';
import {finishedRecord, progressRecord, startedRecord} from '../conformance/example-records.ts';
import {sha256Hex} from '../system/sha256.ts';
import {openSignedState, type SignedState} from '../state/signed-state.fixture.ts';
import {OpenCalls} from './open-calls.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lumenflow-open-calls-'));
});
afterEach(() => rmSync(root, {recursive: true}));

function open(): Promise<SignedState> {
  const folders = {stateFolder: join(root, 'kernel'), keyFolder: join(root, 'keys')};
  return openSignedState({...folders, processes: createProcessRegistry()});
}

/** Receipts of the open calls, each with how many progress records it has. */
async function openCalls(): Promise<string[]> {
  const state = await open();
  try {
    const calls = await state.evidence.openCalls();
    return calls.map((call) => `${call.started.receipt_id} ${call.progress.length}`);
  } finally {
    await state.close();
  }
}

test('are known after a restart, from what was kept and from what came after it', async () => {
  const state = await open();
  await state.evidence.append([startedRecord('a'), startedRecord('b'), progressRecord('a', 1, 0), startedRecord('c')], {
    fsync: false,
  });
  await state.signed.checkpoint();
  const frontier = join(root, 'kernel', 'index', 'traces-frontier.json');
  const kept = readFileSync(frontier, 'utf8');
  await state.evidence.append([finishedRecord('b'), progressRecord('a', 2, 0), startedRecord('d')], {fsync: false});
  await state.close();
  const newest = readFileSync(frontier, 'utf8');
  const usable = [newest, kept];
  const useless = [
    '',
    '{}',
    kept.replace('"bytes":4', '"bytes":3'),
    edited(kept, '"companion":[', '"companion":[["x",{}],'),
    edited(kept, '"seq":4', '"seq":3'),
  ];
  for (const text of [...usable, ...useless]) {
    writeFileSync(frontier, text);
    expect(await openCalls()).toEqual(['a 2', 'c 0', 'd 0']);
  }
});

/** With the hash that belongs to it then. */
function edited(text: string, what: string | RegExp, by: string): string {
  const json = (text.split('\n')[0] ?? '').replace(what, by);
  return `${json}\n${sha256Hex(json)}\n`;
}

test('are taken from what was kept, not from the beginning of the log', async () => {
  const state = await open();
  await state.evidence.append([startedRecord('a')], {fsync: false});
  await state.close();
  const frontier = join(root, 'kernel', 'index', 'traces-frontier.json');
  writeFileSync(frontier, edited(readFileSync(frontier, 'utf8'), /"companion":.*\}/u, '"companion":[]}'));
  expect(await openCalls()).toEqual([]);
  rmSync(frontier);
  expect(await openCalls()).toEqual(['a 0']);
});

test.each([
  undefined,
  null,
  {},
  [1],
  [['a']],
  [['a', null]],
  [['a', {startSeq: 1, started: {segment: 1, offset: -1, bytes: 5}, progress: []}]],
  [['a', {startSeq: 1, started: {segment: 1, offset: 0, bytes: 5}, progress: [null]}]],
])('%j is not what was kept', (state) => {
  expect(new OpenCalls().restore(state)).toBe(false);
});
