// Lanes through the real kernel: their work, their locks, and changes that need a person.
import type {Session} from '@lumenflow/host';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {parse} from 'yaml';
import {makeDeliveryStage, type DeliveryStage} from '../../support/delivery-stage.ts';
import {codeOf, must} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

let stage: DeliveryStage;
let ada: Session;
let cem: Session;

beforeAll(async () => {
  stage = await makeDeliveryStage();
  ada = opened(await stage.host.openSession({by: 'ada', lane: 'docs'}));
  cem = opened(await stage.host.openSession({by: 'cem', lane: 'docs'}));
  for (const number of [1, 2, 3]) await stage.createWu(ada, {code_paths: [`packages/api/${number}.ts`]});
});
afterAll(async () => await stage.workspace.remove());

test('the lanes show their work, and are sound', async () => {
  expect(await must(ada, 'lane:status', {lane: 'core'})).toEqual({
    lanes: [
      {id: 'core', wip_limit: 1, free_slots: 1, counts: {ready: 3, in_progress: 0, blocked: 0, done: 0}, units: []},
    ],
  });
  expect(await must(ada, 'lane:health')).toEqual({healthy: true, findings: []});
  expect(await must(ada, 'lane:validate')).toMatchObject({
    valid: true,
    problems: [{lane: 'docs', code: 'NO_WIP_LIMIT'}],
  });
  expect(await codeOf(ada, 'lane:status', {lane: 'nowhere'})).toBe('LANE_UNKNOWN');
  expect(await codeOf(ada, 'lane:health', {lane: 'nowhere'})).toBe('LANE_UNKNOWN');
  expect(await must(ada, 'lane:health', {lane: 'core'})).toEqual({healthy: true, findings: []});
});

test('a lane is found for work, and suggested where there is none', async () => {
  const inferred = await must(ada, 'wu:infer-lane', {code_paths: ['packages/api/new.ts', 'packages/api/1.ts']});
  expect(inferred).toMatchObject({lane: 'core', suggestions: [{lane: 'core', score: 0.3}]});
  const {suggestions} = await must(ada, 'lane:suggest');
  expect(suggestions).toMatchObject([{id: 'packages-api', code_paths: ['packages/api/**'], work_units: 3}]);
});

test('a session has a lane to itself until it gives it back', async () => {
  const {token} = await must(ada, 'lane-lock:acquire', {lane: 'core', reason: 'moving files'});
  expect(await must(ada, 'lane-lock:acquire', {lane: 'core', reason: 'still moving'})).toMatchObject({token});
  expect(await codeOf(cem, 'lane-lock:acquire', {lane: 'core', reason: 'me too'})).toBe('LANE_LOCKED');
  expect(await codeOf(cem, 'wu:claim', {id: 'WU-1'})).toBe('LANE_LOCKED');
  expect(await must(cem, 'lane-lock:list')).toMatchObject({locks: [{lane: 'core', session_id: ada.session_id}]});
  expect(await codeOf(ada, 'lane-lock:release', {lane: 'core', token: Number(token) + 1})).toBe('LEASE_STALE');
  expect(await codeOf(cem, 'lane-lock:release', {lane: 'core', token})).toBe('LEASE_STALE');
  await must(ada, 'lane-lock:release', {lane: 'core', token});
  expect(await codeOf(ada, 'lane-lock:release', {lane: 'core', token})).toBe('NOT_LOCKED');
  expect(await must(cem, 'lane-lock:acquire', {lane: 'core', reason: 'now me'})).toMatchObject({
    token: Number(token) + 1,
  });
});

test('a person breaks a lock, and freezes a lane', async () => {
  await stage.mustApproved(ada, 'lane-lock:break', {lane: 'core', reason: 'cem is gone'});
  expect(await must(cem, 'lane-lock:list')).toEqual({locks: []});
  await stage.mustApproved(ada, 'lane-lock:freeze', {lane: 'core', reason: 'release 2.0'});
  expect(await must(cem, 'lane:status', {lane: 'core'})).toMatchObject({lanes: [{frozen: 'release 2.0'}]});
  expect(await codeOf(cem, 'wu:claim', {id: 'WU-1'})).toBe('LANE_FROZEN');
  await stage.mustApproved(ada, 'lane-lock:freeze', {lane: 'core', reason: 'released', lift: true});
  expect(await must(cem, 'wu:preflight', {id: 'WU-1'})).toMatchObject({ready: true});
});

test('a change of lanes is printed as YAML for workspace.yaml, and not made', async () => {
  const api = {id: 'api', wip_limit: 2, code_paths: ['packages/api/']};
  const lanes = [api, {id: 'core', wip_limit: 4}];
  const made = await must(ada, 'config:propose', {lanes});
  expect(made).toMatchObject({
    applied: false,
    lanes: [
      {id: 'api', wip_limit: 2},
      {id: 'core', wip_limit: 4},
    ],
  });
  expect(parse(String(made['yaml']))).toEqual({lanes: made['lanes']});
  expect(await codeOf(ada, 'config:propose', {lanes: [{id: 'core'}]})).toBe('NOTHING_TO_CHANGE');
  expect(await codeOf(ada, 'config:propose', {lanes: [api, api]})).toBe('LANE_EXISTS');
  expect(await codeOf(ada, 'config:propose', {lanes, pointer: '/lease'})).toBe('INVALID_INPUT');
  expect((await must(ada, 'lane:status'))['lanes']).toHaveLength(2);
});
