// State that an earlier version wrote, opened by this one: with every record, task, approval and signature. And the way back.
import {startHost, type Host} from '@lumenflow/host';
import {verifyEvidence, readVerifierKeys} from '@lumenflow/kernel/node';
import {createHash} from 'node:crypto';
import {appendFileSync, cpSync, readdirSync, readFileSync, renameSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {opened} from '../../support/opened.ts';
import {makeEarlierWorkspace} from './earlier-workspace.ts';

const earlier = join(import.meta.dirname, 'state-of-0.1.0');
const logs = ['events', 'evidence/traces'] as const;

let root: string;
let opening: Host[];
beforeEach(async () => {
  root = await makeEarlierWorkspace();
  opening = [];
});
afterEach(async () => {
  for (const host of opening) await host.close();
  rmSync(root, {recursive: true});
});

const open = async (): Promise<Host> => {
  const host = await startHost({workspaceRoot: root, env: process.env, threads: 1});
  opening.push(host);
  return host;
};
const linesIn = (folder: string, log: string): readonly string[] =>
  readdirSync(join(folder, 'kernel', log))
    .toSorted()
    .flatMap((name) => readFileSync(join(folder, 'kernel', log, name), 'utf8').split('\n'))
    .filter((line) => line !== '');
const state = (): string => join(root, '.lumenflow');

test('every task, approval, call and content of the earlier version is there, and work continues', async () => {
  cpSync(earlier, state(), {recursive: true});
  const {runtime, openSession} = await open();
  const states = Object.fromEntries(runtime.listTasks().map((task) => [task.task_id, task.state]));
  expect(states).toMatchObject({ready: 'ready', claimed: 'active', done: 'done'});
  expect(runtime.listApprovals().map((each) => each.state)).toEqual(expect.arrayContaining(['pending', 'approved']));
  const {receipts} = await runtime.evidence.readTraces({limit: 100});
  expect(receipts.map(({started, finished}) => [started.tool_name, finished?.result])).toEqual([
    ['noop:nothing', 'denied'],
    ['noop:nothing', 'denied'],
    ['noop:write', 'success'],
    ['noop:read', 'denied'],
    ['noop:read', 'success'],
    ['noop:read', 'success'],
  ]);
  expect(await runtime.evidence.verify()).toMatchObject({status: 'verified', findings: []});

  // The run and the approval of before are used now.
  expect(await runtime.completeTask({task_id: 'claimed', by: 'ann', session_id: 'earlier'})).toMatchObject({
    success: true,
  });
  const session = opened(await openSession({by: 'ann'}));
  expect(await session.call('noop:read', {path: 'later'})).toMatchObject({success: true});
  await runtime.evidence.checkpoint();
});

test('nothing that was written is changed, and a stranger verifies both parts as one log', async () => {
  cpSync(earlier, state(), {recursive: true});
  const host = await open();
  const session = opened(await host.openSession({by: 'bob'}));
  await session.call('noop:read', {path: 'later'});
  await host.runtime.evidence.checkpoint();
  await opening.pop()?.close();
  for (const log of logs) {
    const before = linesIn(earlier, log);
    expect(before.length).toBeGreaterThan(5);
    expect(linesIn(state(), log).slice(0, before.length)).toEqual(before);
    expect(linesIn(state(), log).length).toBeGreaterThan(before.length);
  }
  expect(readVerifierKeys(join(state(), 'keys'))).toHaveLength(2);
  const report = await verifyEvidence(join(state(), 'kernel'), {keyFolder: join(state(), 'keys')});
  expect(report).toMatchObject({status: 'verified', findings: []});
});

test('a record of a later version is reported as such, and nothing is recorded after it', async () => {
  cpSync(earlier, state(), {recursive: true});
  const before = linesIn(state(), 'events');
  const last = before.at(-1) ?? '';
  const prev = createHash('sha256').update(last).digest('hex');
  const {seq, prev: _, ...rest} = JSON.parse(last) as {seq: number; prev: string};
  const later = JSON.stringify({seq: seq + 1, prev, ...rest, of_a_later_version: true});
  const [segment = ''] = readdirSync(join(state(), 'kernel/events'));
  appendFileSync(join(state(), 'kernel/events', segment), `${later}\n`);
  await expect(open()).rejects.toMatchObject({
    code: 'LOG_CORRUPT',
    message: expect.stringMatching(/line \d+ is not a valid record of this version: if a newer version /u),
  });
  expect(linesIn(state(), 'events')).toEqual([...before, later]);
});

test('a roll-back by the backup from before the upgrade loses only what is newer, and reveals that', async () => {
  cpSync(earlier, state(), {recursive: true});
  const upgraded = await open();
  const session = opened(await upgraded.openSession({by: 'bob'}));
  await session.call('noop:read', {path: 'later'});
  const kept = await upgraded.runtime.evidence.checkpoint();
  await opening.pop()?.close();
  renameSync(join(state(), 'kernel'), join(state(), 'kernel-after-upgrade'));
  cpSync(join(earlier, 'kernel'), join(state(), 'kernel'), {recursive: true});
  const {runtime} = await open();
  expect(Object.fromEntries(runtime.listTasks().map((task) => [task.task_id, task.state]))).toMatchObject({
    claimed: 'active',
  });
  await opening.pop()?.close();
  const keyFolder = join(state(), 'keys');
  expect(await verifyEvidence(join(state(), 'kernel'), {keyFolder})).toMatchObject({status: 'verified'});
  // A checkpoint that was kept elsewhere does not fit: records are missing.
  const against = await verifyEvidence(join(state(), 'kernel'), {keyFolder, keptNotes: [kept]});
  expect(against).toMatchObject({status: 'truncated'});
});
