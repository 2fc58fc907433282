// Lines do not stay unsigned: neither while a process lives and is quiet, nor after one was killed.
import {cpSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {finishedRecord, startedRecord} from '../conformance/example-records.ts';
import {createProcessRegistry} from '../lock/process-registry.ts';
import {claimEvent} from '../state/claim-event.fixture.ts';
import {openSignedState, type SignedState, type SignedStateOptions} from '../state/signed-state.fixture.ts';

let root: string;
let opened: SignedState[];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lumenflow-unsigned-'));
  opened = [];
});
afterEach(async () => {
  for (const state of opened) await state.close();
  rmSync(root, {recursive: true});
});

async function open(name: string, more: Partial<SignedStateOptions> = {}): Promise<SignedState> {
  const folders = {stateFolder: join(root, name, 'kernel'), keyFolder: join(root, name, 'keys')};
  const state = await openSignedState({...folders, processes: createProcessRegistry(), ...more});
  opened.push(state);
  return state;
}

async function recordCall(state: SignedState, name: string): Promise<void> {
  await state.evidence.append([startedRecord(name), finishedRecord(name)], {fsync: false});
}

test('a quiet process signs its records and its events after a time', async () => {
  const state = await open('one', {unsignedMs: 5});
  await recordCall(state, 'r1');
  const status = async (): Promise<string> => (await state.signed.verify()).status;
  await expect.poll(status, {timeout: 60_000}).toBe('verified');
  // Events without any record.
  await state.events.transact(() => ({events: [claimEvent('t1', 's')], result: undefined}));
  await expect.poll(status, {timeout: 60_000}).toBe('verified');
});

test('what a killed process left unsigned is signed by the next one, although that only reads', async () => {
  const killed = await open('one');
  await recordCall(killed, 'r1');
  cpSync(join(root, 'one'), join(root, 'left'), {recursive: true, verbatimSymlinks: true});
  rmSync(join(root, 'left', 'kernel', 'lock'), {recursive: true});
  const next = await open('left');
  expect((await next.signed.verify()).status).toBe('unsigned_tail');
  await next.close();
  expect(await (await open('left')).signed.verify()).toMatchObject({status: 'verified', signed_records: 2});
});

test('a process that only reads a signed log signs nothing', async () => {
  const first = await open('one');
  await recordCall(first, 'r1');
  await first.close();
  const reader = await open('one');
  const other = await open('one');
  await recordCall(other, 'r2');
  await reader.close();
  expect(await other.signed.verify()).toMatchObject({status: 'unsigned_tail', signed_records: 2});
});
