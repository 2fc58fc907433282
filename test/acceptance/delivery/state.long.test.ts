// The pack's own state examined and put right, its config, and what people are asked, through the real kernel.
import type {Session} from '@lumenflow/host';
import {existsSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {makeDeliveryStage, type DeliveryStage} from '../../support/delivery-stage.ts';
import {codeOf, must} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

let stage: DeliveryStage;
let ada: Session;
beforeAll(async () => {
  stage = await makeDeliveryStage({lease: {ttl_minutes: 30}});
  ada = opened(await stage.host.openSession({by: 'ada', lane: 'docs'}));
});
afterAll(async () => await stage.workspace.remove());

const findings = async (): Promise<unknown> => (await must(ada, 'state:doctor'))['findings'];
const log = (): string => readFileSync(stage.statePath('events'), 'utf8');

describe('the state', () => {
  test('is sound while only the pack’s tools change it', async () => {
    await stage.createWu(ada);
    await stage.createWu(ada, {depends_on: ['WU-1']});
    await must(ada, 'initiative:create', {title: 'Anything'});
    expect(await must(ada, 'state:doctor')).toEqual({
      sound: true,
      events: 3,
      bytes: Buffer.byteLength(log()),
      findings: [],
    });
  });

  test('rebuilds its snapshots from the log', async () => {
    const dry = await must(ada, 'state:rebuild', {dry_run: true});
    expect(existsSync(stage.statePath('snapshots'))).toBe(false);
    const rebuilt = await must(ada, 'state:rebuild');
    expect(rebuilt).toEqual({...dry, dry_run: false});
    expect(await findings()).toEqual([]);
    const path = stage.statePath('snapshots/work-units');
    writeFileSync(path, readFileSync(path, 'utf8').replace('Work unit number 1', 'Another title'));
    expect(await must(ada, 'state:doctor')).toMatchObject({
      sound: false,
      findings: [
        {code: 'SNAPSHOT_WRONG', subject: 'snapshots/work-units', fix: expect.stringContaining('rebuild') as string},
      ],
    });
    await must(ada, 'state:rebuild');
    expect(await findings()).toEqual([]);
  });

  test('loses snapshots that nothing reads, and no others', async () => {
    writeFileSync(stage.statePath('snapshots/of-old'), '{}');
    expect(await findings()).toMatchObject([{code: 'STATE_UNKNOWN', severity: 'warning', subject: 'snapshots/of-old'}]);
    const removed = {removed: [{name: 'snapshots/of-old', bytes: 2}]};
    expect(await must(ada, 'state:cleanup', {dry_run: true})).toMatchObject(removed);
    expect(await must(ada, 'state:cleanup')).toMatchObject(removed);
    expect(await must(ada, 'state:cleanup')).toMatchObject({removed: []});
    expect(await findings()).toEqual([]);
  });

  test('is compared with the files', async () => {
    rmSync(`${stage.workspace.root}/docs/tasks/WU-1.yaml`);
    expect(await findings()).toMatchObject([{code: 'WU_DISAGREES', subject: 'WU-1', severity: 'error'}]);
    await stage.mustApproved(ada, 'wu:repair', {ids: ['WU-1']});
    expect(await findings()).toEqual([]);
  });

  test('names the line of the log that is damaged, and nothing is rebuilt from it', async () => {
    const whole = log();
    writeFileSync(stage.statePath('events'), `${whole}{"type": "wu_created"}\n`);
    expect(await must(ada, 'state:doctor')).toMatchObject({
      sound: false,
      findings: [{code: 'LOG_LINE_DAMAGED', subject: `line ${whole.split('\n').length}`}],
    });
    expect(await codeOf(ada, 'state:rebuild')).toBe('LOG_DAMAGED');
    writeFileSync(stage.statePath('events'), whole);
  });

  test('is created from the specs of a repository whose log is missing', async () => {
    const before = await must(ada, 'wu:show', {id: 'WU-2'});
    rmSync(stage.statePath('events'));
    rmSync(stage.statePath('snapshots'), {recursive: true});
    expect(await findings()).toMatchObject([
      {code: 'SPEC_NOT_RECORDED', subject: 'WU-1'},
      {code: 'SPEC_NOT_RECORDED', subject: 'WU-2'},
    ]);
    expect(await stage.mustApproved(ada, 'state:bootstrap', {done: ['WU-1']})).toEqual({
      recorded: [
        {id: 'WU-1', status: 'done'},
        {id: 'WU-2', status: 'ready'},
      ],
      dry_run: false,
    });
    expect(await findings()).toEqual([]);
    expect(await must(ada, 'wu:show', {id: 'WU-2'})).toMatchObject({spec: before['spec']});
    expect(await must(ada, 'flow:report')).toMatchObject({throughput: {done: 0, created: 1}});
    const {error} = await ada.call('state:bootstrap', {done: ['WU-9']});
    expect(error).toMatchObject({code: 'PREVIEW_FAILED', details: {cause: 'NOT_TO_BE_RECORDED'}});
  });
});

test('where nothing was broken off, nothing is recovered or pruned', async () => {
  const asked = {id: 'WU-2', lease_token: 1, action: 'resume'};
  expect(await codeOf(ada, 'wu:recover', asked)).toBe('NOTHING_TO_RECOVER');
  expect(await must(ada, 'wu:prune')).toMatchObject({removed: [], kept: []});
});

describe('the config', () => {
  test('is shown, and a change of it is proposed for a person to make', async () => {
    expect(await must(ada, 'config:get', {pointer: '/lease/ttl_minutes'})).toMatchObject({value: 30, is_set: true});
    const before = readFileSync(`${stage.workspace.root}/workspace.yaml`, 'utf8');
    const set = await stage.mustApproved(ada, 'config:set', {pointer: '/lease/ttl_minutes', value: 45});
    expect(set).toMatchObject({applied: false, yaml: expect.stringContaining('45') as string});
    expect(readFileSync(`${stage.workspace.root}/workspace.yaml`, 'utf8')).toBe(before);
    expect(await must(ada, 'config:get', {pointer: '/lease'})).toMatchObject({
      value: {ttl_minutes: 30},
      proposed: [{pointer: '/lease/ttl_minutes', value: 45, by: ada.session_id}],
    });
  });

  test('and the position of a call are reported', async () => {
    expect(await must(ada, 'context:get')).toMatchObject({
      session_id: ada.session_id,
      lane_id: 'docs',
      workspace_root: stage.workspace.root,
      wu: null,
    });
  });
});

describe('people', () => {
  test('are asked, and their yes counts once', async () => {
    const holder = opened(await stage.host.openSession({by: 'holder', lane: 'core'}));
    await must(holder, 'wu:claim', {id: 'WU-2'});
    expect(await must(holder, 'context:get')).toMatchObject({task_id: 'WU-2', wu: {id: 'WU-2', status: 'in_progress'}});
    const question = {question: 'May the search be down for an hour?', wu: 'WU-2'};
    expect(await stage.mustApproved(holder, 'approval:request', question)).toEqual({
      ...question,
      approved: true,
      approved_by: 'bob',
    });
    expect(await codeOf(holder, 'approval:request', question)).toBe('APPROVAL_REQUIRED');
    expect(await must(holder, 'approval:list', {task_id: 'WU-2'})).toMatchObject({
      approvals: [{state: 'pending'}, {state: 'used', tool_name: 'approval:request', resolved_by: 'bob'}],
      total: 2,
    });
    const {error} = await holder.call('approval:request', question);
    await stage.host.runtime.resolveApproval({
      request_id: String(error?.details?.['request_id']),
      approved: false,
      approved_by: 'bob',
      reason: 'not today',
    });
    expect(await codeOf(holder, 'approval:request', question)).toBe('POLICY_DENIED');
  });

  test('and agents read what was recorded', async () => {
    const holder = opened(await stage.host.openSession({by: 'reader', lane: 'docs'}));
    const listed = await must(holder, 'evidence:list', {task_id: 'WU-2', tool_name: 'approval:request', limit: 2});
    expect(listed['receipts']).toMatchObject([{result: 'denied'}, {result: 'denied'}]);
    const {next_before_seq: before_seq} = listed;
    const older = await must(holder, 'evidence:list', {task_id: 'WU-2', tool_name: 'approval:request', before_seq});
    expect(older['receipts']).toContainEqual(
      expect.objectContaining({result: 'success', tool_name: 'approval:request'}),
    );
  });
});
