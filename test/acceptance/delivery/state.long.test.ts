// The pack's own state examined and put right, its config, and what people are asked, through the real kernel.
import type {Session} from '@lumenflow/host';
import {existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
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

const findings = async (): Promise<unknown> => (await must(ada, 'doctor'))['findings'];
const log = (): string => readFileSync(stage.statePath('events'), 'utf8');

describe('the state', () => {
  test('is sound while only the pack’s tools change it', async () => {
    await stage.createWu(ada);
    await stage.createWu(ada, {depends_on: ['WU-1']});
    await must(ada, 'initiative:create', {title: 'Anything'});
    expect(await must(ada, 'doctor')).toEqual({
      sound: true,
      events: 3,
      bytes: Buffer.byteLength(log()),
      findings: [],
      fixed: [],
    });
  });

  test('rebuilds its snapshots from the log', async () => {
    await must(ada, 'doctor', {fix: true});
    expect(existsSync(stage.statePath('snapshots'))).toBe(false);
    const path = stage.statePath('snapshots/work-units');
    mkdirSync(stage.statePath('snapshots'), {recursive: true});
    writeFileSync(path, '{"version": 0}');
    expect(await must(ada, 'doctor', {fix: true})).toMatchObject({
      sound: true,
      findings: [],
      fixed: [{area: 'log', tool: 'state:rebuild'}],
    });
    writeFileSync(path, readFileSync(path, 'utf8').replace('Work unit number 1', 'Another title'));
    expect(await must(ada, 'doctor')).toMatchObject({
      sound: false,
      findings: [{area: 'log', code: 'SNAPSHOT_WRONG', subject: 'snapshots/work-units', fixable: true}],
      fixed: [],
    });
    await must(ada, 'doctor', {fix: true});
    expect(await findings()).toEqual([]);
  });

  test('loses snapshots that nothing reads, and no others', async () => {
    writeFileSync(stage.statePath('snapshots/of-old'), '{}');
    expect(await findings()).toMatchObject([{code: 'STATE_UNKNOWN', severity: 'warning', subject: 'snapshots/of-old'}]);
    expect(await must(ada, 'doctor', {fix: true})).toMatchObject({
      findings: [],
      fixed: [{tool: 'state:cleanup', result: {removed: [{name: 'snapshots/of-old', bytes: 2}]}}],
    });
  });

  test('is compared with the files', async () => {
    rmSync(`${stage.workspace.root}/docs/tasks/WU-1.yaml`);
    expect(await findings()).toMatchObject([{code: 'WU_DISAGREES', subject: 'WU-1', severity: 'error'}]);
    expect(await must(ada, 'doctor', {fix: true, areas: ['log', 'worktrees']})).toMatchObject({fixed: []});
    expect(await stage.mustApproved(ada, 'doctor', {fix: true})).toMatchObject({
      findings: [],
      fixed: [{area: 'work_units', tool: 'wu:repair'}],
    });
  });

  test('names the line of the log that is damaged, and nothing is rebuilt from it', async () => {
    const whole = log();
    writeFileSync(stage.statePath('events'), `${whole}{"type": "wu_created"}\n`);
    expect(await must(ada, 'doctor')).toMatchObject({
      sound: false,
      findings: [{code: 'LOG_LINE_DAMAGED', subject: `line ${whole.split('\n').length}`}],
    });
    expect(await must(ada, 'doctor', {fix: true})).toMatchObject({sound: false, fixed: []});
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
    const stray = await ada.call('doctor', {fix: true, done: ['WU-9']});
    expect(stray.error).toMatchObject({code: 'PREVIEW_FAILED', details: {cause: 'NOT_TO_BE_RECORDED'}});
    expect(await stage.mustApproved(ada, 'doctor', {fix: true, done: ['WU-1']})).toMatchObject({
      findings: [],
      fixed: [
        {
          tool: 'state:bootstrap',
          result: {
            recorded: [
              {id: 'WU-1', status: 'done'},
              {id: 'WU-2', status: 'ready'},
            ],
          },
        },
      ],
    });
    expect(await must(ada, 'wu:show', {id: 'WU-2'})).toMatchObject({spec: before['spec']});
    expect(await must(ada, 'flow:report')).toMatchObject({throughput: {done: 0, created: 1}});
  });
});

test('nobody is asked about repairs if nothing is broken, and former names answer with the new one', async () => {
  expect(await must(ada, 'doctor', {fix: true})).toMatchObject({sound: true, findings: [], fixed: []});
  const {error} = await ada.call('wu:recover', {id: 'WU-2', lease_token: 1, action: 'resume'});
  expect(error).toMatchObject({
    code: 'TOOL_NOT_FOUND',
    message: '`wu:recover` is now `doctor`: call `doctor` instead, with `fix: true`',
  });
});

describe('the config', () => {
  test('is shown, and a change of it is proposed for a person to make', async () => {
    expect(await must(ada, 'config:get', {pointer: '/lease/ttl_minutes'})).toMatchObject({value: 30, is_set: true});
    const before = readFileSync(`${stage.workspace.root}/workspace.yaml`, 'utf8');
    const set = await must(ada, 'config:propose', {pointer: '/lease/ttl_minutes', value: 45});
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
