// Daily use of work units through the real kernel and sandbox.
import type {Session} from '@lumenflow/host';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {makeDeliveryStage, type DeliveryStage} from '../../support/delivery-stage.ts';
import {codeOf, must} from '../../support/host-workspace.ts';

let stage: DeliveryStage;
let ada: Session;
let cem: Session;

beforeAll(async () => {
  stage = await makeDeliveryStage({gates: {commands: {test: 'true'}}});
  ada = await stage.host.openSession({by: 'ada', lane: 'docs'});
  cem = await stage.host.openSession({by: 'cem', lane: 'docs'});
});
afterAll(async () => await stage.workspace.remove());

const idsOf = (units: unknown): readonly string[] => (units as readonly {readonly id: string}[]).map(({id}) => id);

test('wu:next with claim gives each of two sessions its own work unit', async () => {
  await stage.createWu(ada, {lane: 'docs', priority: 'P0'});
  await stage.createWu(ada, {lane: 'docs', priority: 'P1'});
  await stage.createWu(ada, {lane: 'docs', priority: 'P0', depends_on: ['WU-1']});
  const shown = await must(ada, 'wu:next', {lane: 'docs'});
  expect(shown).toMatchObject({next: {id: 'WU-1', dependents: 1}, held: []});
  expect([idsOf(shown['alternatives']), idsOf(shown['blocked'])]).toEqual([['WU-2'], ['WU-3']]);
  expect(await codeOf(ada, 'wu:next', {lane: 'nowhere'})).toBe('LANE_UNKNOWN');
  await must(ada, 'wu:next', {claim: true, dry_run: true});
  const both = await Promise.all([ada, cem].map((session) => must(session, 'wu:next', {claim: true})));
  const claimed = both.map(({claimed: each}) => each as {readonly id: string; readonly worktree: string});
  expect(claimed.map(({id}) => id).toSorted()).toEqual(['WU-1', 'WU-2']);
  expect(ada.task_id).toBe(claimed[0]?.id);
  expect(await must(ada, 'wu:next', {})).toMatchObject({held: [claimed[0]?.id], blocked: [{id: 'WU-3'}]});
});
