// An initiative from its plan to the release of abandoned work, through the real kernel: split into work units, assigned in
// waves, delegated, monitored, and measured.
import type {Session} from '@lumenflow/host';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {makeDeliveryStage, wuWords, type DeliveryStage} from '../../support/delivery-stage.ts';
import {codeOf, must} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

let stage: DeliveryStage;
let lead: Session;
let worker: Session;
beforeAll(async () => {
  stage = await makeDeliveryStage();
  lead = opened(await stage.host.openSession({by: 'lead', lane: 'docs'}));
  worker = opened(await stage.host.openSession({by: 'worker', lane: 'core'}));
});
afterAll(async () => await stage.workspace.remove());

const planned = (key: string, number: number, words: object = {}): object => ({key, ...wuWords(number), ...words});
const plan = [
  planned('launch', 3, {depends_on: ['build', 'text'], phase: 2}),
  planned('build', 1, {priority: 'P1', phase: 1}),
  planned('text', 2, {lane: 'docs', phase: 1}),
  planned('polish', 4),
];

test('an initiative is begun, edited and listed', async () => {
  const words = {title: 'Faster checkout', phases: ['Measure'], success_metrics: ['p95 below 300 ms']};
  expect(await must(lead, 'initiative:create', {...words, dry_run: true})).toMatchObject({dry_run: true});
  const {initiative} = await must(lead, 'initiative:create', words);
  expect(initiative).toMatchObject({id: 'INIT-1', status: 'active', ...words});
  const edited = await must(lead, 'initiative:edit', {id: 'INIT-1', phases: ['Build', 'Launch'], owner: 'ada'});
  expect(edited).toMatchObject({changed: ['owner', 'phases']});
  expect(await must(lead, 'initiative:list')).toMatchObject({
    initiatives: [{id: 'INIT-1', owner: 'ada', percent: 0, counts: {total: 0}}],
  });
  expect(await codeOf(lead, 'initiative:status', {id: 'INIT-7'})).toBe('INITIATIVE_NOT_FOUND');
});

test('a plan becomes work units, each after those that it depends on, and only once', async () => {
  const dry = await must(lead, 'initiative:plan', {id: 'INIT-1', wus: plan, dry_run: true});
  expect(dry['wus']).toContainEqual({key: 'launch', id: null, created: false});
  expect(await must(lead, 'wu:list')).toMatchObject({total: 0});
  const made = await must(lead, 'initiative:plan', {id: 'INIT-1', wus: plan});
  expect(made['wus']).toEqual([
    {key: 'build', id: 'WU-1', created: true},
    {key: 'text', id: 'WU-2', created: true},
    {key: 'polish', id: 'WU-3', created: true},
    {key: 'launch', id: 'WU-4', created: true},
  ]);
  const more = [...plan, planned('measure', 5, {depends_on: ['launch']})];
  const again = await must(lead, 'initiative:plan', {id: 'INIT-1', wus: more});
  expect((again['wus'] as {created: boolean}[]).filter(({created}) => created)).toEqual([
    {key: 'measure', id: 'WU-5', created: true},
  ]);
  const spec = readFileSync(join(stage.workspace.root, 'docs/tasks/WU-4.yaml'), 'utf8');
  expect(spec).toContain('initiative: INIT-1');
  expect(spec).toMatch(/depends_on:\s+- WU-1\s+- WU-2/u);
  const broken = [planned('odd', 6, {type: 'wish'})];
  for (const dry_run of [true, false]) {
    const {error} = await lead.call('initiative:plan', {id: 'INIT-1', wus: broken, dry_run});
    expect(error).toMatchObject({code: 'PLAN_STOPPED', details: {key: 'odd', error: {code: 'INVALID_INPUT'}}});
  }
});

test('its status counts the work units by phase', async () => {
  expect(await must(lead, 'initiative:status', {id: 'INIT-1'})).toMatchObject({
    progress: {
      counts: {ready: 5, total: 5},
      phases: [
        {phase: 1, title: 'Build', counts: {ready: 2}},
        {phase: 2, title: 'Launch', counts: {ready: 1}},
      ],
    },
  });
  expect(await codeOf(lead, 'initiative:edit', {id: 'INIT-1', phases: ['Build']})).toBe('PHASE_IN_USE');
});

test('work units come, go, and are moved only with a person’s consent', async () => {
  await must(lead, 'initiative:create', {title: 'Later'});
  const other = await stage.createWu(lead, {code_paths: ['docs/other/**']});
  const add = {initiative: 'INIT-2', wu: other};
  expect(await must(lead, 'initiative:add-wu', add)).toMatchObject({changed: true});
  expect(await must(lead, 'initiative:add-wu', add)).toMatchObject({changed: false});
  expect(await codeOf(lead, 'initiative:add-wu', {initiative: 'INIT-2', wu: 'WU-3'})).toBe('WU_ELSEWHERE');
  expect(await codeOf(lead, 'initiative:add-wu', {initiative: 'INIT-2', wu: 'WU-99'})).toBe('WU_NOT_FOUND');
  const moved = await stage.mustApproved(lead, 'initiative:bulk-assign', {
    assignments: [{initiative: 'INIT-2', wu: 'WU-3'}, add],
  });
  expect(moved).toEqual({changed: ['WU-3'], unchanged: [other], dry_run: false});
  await must(lead, 'initiative:remove-wu', add);
  expect(await codeOf(lead, 'initiative:remove-wu', add)).toBe('WU_NOT_IN_INITIATIVE');
  expect(await must(lead, 'initiative:status', {id: 'INIT-2'})).toMatchObject({progress: {wus: [{id: 'WU-3'}]}});
});

test('work is handed out in waves: what can begin now, once, and the rest with a reason', async () => {
  const dry = await must(lead, 'orchestrate:initiative', {id: 'INIT-1', to: 'swarm', dry_run: true});
  expect(dry).toMatchObject({
    waves: [
      {wave: 1, wus: ['WU-1', 'WU-2']},
      {wave: 2, wus: ['WU-4']},
      {wave: 3, wus: ['WU-5']},
    ],
    critical_path: ['WU-1', 'WU-4', 'WU-5'],
    already: [],
  });
  const out = await must(lead, 'orchestrate:initiative', {id: 'INIT-1', to: 'swarm', note: 'tonight'});
  expect(out['handed_out']).toMatchObject([
    {delegation: 'DEL-1', wu: 'WU-1', to: 'swarm', note: 'tonight', initiative: 'INIT-1', state: 'open'},
    {delegation: 'DEL-2', wu: 'WU-2'},
  ]);
  const again = await must(lead, 'orchestrate:initiative', {id: 'INIT-1', to: 'swarm'});
  expect(again).toMatchObject({handed_out: [], waves: dry['waves']});
  expect(again['already']).toHaveLength(2);
  const beside = await must(lead, 'orchestrate:initiative', {id: 'INIT-2', to: 'swarm', dry_run: true});
  expect(beside).toMatchObject({waves: [{wave: 1, wus: ['WU-3']}]});
  await must(lead, 'initiative:edit', {id: 'INIT-2', status: 'paused'});
  expect(await codeOf(lead, 'orchestrate:initiative', {id: 'INIT-2', to: 'swarm'})).toBe('INITIATIVE_NOT_ACTIVE');
});

test('a delegation follows its work unit, and a work unit is with one at a time', async () => {
  await must(worker, 'wu:claim', {id: 'WU-1'});
  expect(await must(lead, 'delegation:list', {wu: 'WU-1'})).toMatchObject({
    delegations: [{delegation: 'DEL-1', state: 'taken', taken_by: worker.session_id}],
    total: 1,
  });
  const full = await must(lead, 'orchestrate:init-status', {id: 'INIT-1'});
  expect(full).toMatchObject({progress: {counts: {in_progress: 1}}, waves: [{wave: 1, wus: ['WU-1', 'WU-2']}, {}, {}]});
  const delegated = await must(lead, 'wu:delegate', {id: 'WU-3', to: 'ada'});
  expect(delegated).toMatchObject({changed: true, delegation: {wu: 'WU-3', to: 'ada', state: 'open'}});
  expect(delegated['prompt']).toContain('Work unit number 4');
  expect(await codeOf(lead, 'delegation:record', {wu: 'WU-3', to: 'bob'})).toBe('ALREADY_DELEGATED');
  const {delegation} = delegated['delegation'] as {delegation: string};
  await must(lead, 'delegation:record', {withdraw: delegation, reason: 'ill'});
  expect(await must(lead, 'delegation:record', {wu: 'WU-3', to: 'bob'})).toMatchObject({changed: true});
  expect(await codeOf(lead, 'delegation:record', {wu: 'WU-3', withdraw: delegation})).toBe('INVALID_INPUT');
});

test('stalled work is found, and released after an approval', async () => {
  expect(await must(lead, 'orchestrate:monitor')).toMatchObject({stuck: []});
  stage.letHoursPass(48);
  const {stuck} = await must(lead, 'orchestrate:monitor');
  expect(stuck).toEqual(
    expect.arrayContaining([
      expect.objectContaining({wu: 'WU-1', reason: 'lease_expired', remedy: 'release', delegation: 'DEL-1'}),
      expect.objectContaining({wu: 'WU-2', reason: 'delegation_untaken', remedy: 'withdraw', to: 'swarm'}),
    ]),
  );
  const {fixed} = await stage.mustApproved(lead, 'doctor', {areas: ['stalled'], fix: true});
  expect(fixed).toMatchObject([{tool: 'orchestrate:recover'}]);
  expect((fixed as {result: {wus: object[]}}[])[0]?.result.wus).toEqual(
    expect.arrayContaining([
      expect.objectContaining({wu: 'WU-1', outcome: 'released'}),
      expect.objectContaining({wu: 'WU-2', outcome: 'withdrawn'}),
    ]),
  );
  expect(await must(lead, 'wu:status', {id: 'WU-1'})).toMatchObject({units: [{status: 'ready'}]});
  const {handed_out: handedOut} = await must(lead, 'orchestrate:initiative', {id: 'INIT-1', to: 'fresh swarm'});
  expect(handedOut).toMatchObject([{wu: 'WU-2', to: 'fresh swarm'}]);
});

test('its flow is measured, and compared with what it was', async () => {
  const of = {initiative: 'INIT-1'};
  await must(lead, 'metrics:snapshot', {...of, dry_run: true});
  expect(await must(lead, 'metrics', of)).toMatchObject({compared_with: null});
  const {at} = await must(lead, 'metrics:snapshot', of);
  await must(worker, 'wu:claim', {id: 'WU-1'});
  expect(await must(lead, 'flow:report', of)).toMatchObject({
    throughput: {created: 4, done: 0},
    wip: {in_progress: 1, oldest: [{wu: 'WU-1', lane: 'core', age_hours: expect.closeTo(48, 0)}]},
    dora: {deployment_frequency: {value: 0, count: 0}, change_failure_rate: {value: null}},
  });
  const {metrics, compared_with: comparedWith} = await must(lead, 'metrics', of);
  expect(comparedWith).toBe(at);
  expect(metrics).toContainEqual({name: 'in_progress', value: 1, unit: 'count', previous: 0, change: 1});
  expect(await must(lead, 'metrics', {...of, days: 7})).toMatchObject({compared_with: null});
  expect(await must(lead, 'flow:bottlenecks', {lane: 'docs'})).toMatchObject({
    wus: [{wu: 'WU-2', status: 'ready', holds_up: ['WU-4', 'WU-5']}],
    lanes: [{lane: 'docs', waiting: 1}],
    total: 1,
  });
  expect(await codeOf(lead, 'flow:report', {since: '2026-02-30'})).toBe('INVALID_WINDOW');
  expect(await codeOf(lead, 'flow:report', {initiative: 'INIT-9'})).toBe('INITIATIVE_NOT_FOUND');
});
