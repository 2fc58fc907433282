// Claims from several processes at once, and one that is killed in the middle.
import {existsSync, readFileSync} from 'node:fs';
import {setTimeout as wait} from 'node:timers/promises';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {makeDeliveryStage, type DeliveryStage} from '../../support/delivery-stage.ts';
import {startHostProcess, type HostProcess} from '../../support/host-process.ts';
import {must} from '../../support/host-workspace.ts';

let stage: DeliveryStage;
let processes: readonly HostProcess[];

beforeAll(async () => {
  stage = await makeDeliveryStage();
  processes = await Promise.all([startHostProcess(stage.workspace.root), startHostProcess(stage.workspace.root)]);
});
afterAll(async () => {
  await Promise.all(processes.map((each) => each.kill()));
  await stage.workspace.remove();
});

const logged = (): readonly {type: string; id?: string; token?: number}[] =>
  existsSync(stage.statePath('events'))
    ? readFileSync(stage.statePath('events'), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as {type: string; id?: string})
    : [];

test('of claims from two processes and this one, one is granted', async () => {
  const desk = await stage.host.openSession({by: 'ada', lane: 'docs'});
  const id = await stage.createWu(desk, {lane: 'docs'});
  await Promise.all(processes.map((each, index) => each.ask('open', {by: `agent-${index}`, lane: 'docs'})));
  const outputs = await Promise.all([
    desk.call('wu:claim', {id}),
    ...processes.map(async (each) => await each.call('wu:claim', {id})),
  ]);
  const codes = outputs.map(({success, error}) => (success ? 'granted' : String(error?.code)));
  expect(codes.toSorted((left, right) => left.localeCompare(right))).toEqual(['granted', 'LEASE_HELD', 'LEASE_HELD']);
  const types = logged().filter((event) => event.id === id);
  expect(types.map(({type}) => type)).toEqual(['wu_created', 'wu_claimed', 'wu_started']);
});

test('ids are given once, whichever process asks', async () => {
  const before = logged().filter(({type}) => type === 'wu_created').length;
  const words = {
    title: 'One of many',
    lane: 'docs',
    type: 'chore',
    priority: 'P3',
    description: 'One of several work units that are created by several processes at once.',
    acceptance: ['its id is its own'],
    code_paths: [],
  };
  const made = await Promise.all(
    processes.flatMap((each) => [1, 2, 3].map(async () => await each.call('wu:create', words))),
  );
  const ids = made.map(({data}) => (data as {id: string} | undefined)?.id);
  expect(new Set(ids).size).toBe(6);
  expect(ids).not.toContain(undefined);
  expect(logged().filter(({type}) => type === 'wu_created')).toHaveLength(before + 6);
});

test('a claim that was killed is finished by claiming again, once its lease is over', async () => {
  const desk = await stage.host.openSession({by: 'eve', lane: 'docs'});
  const id = await stage.createWu(desk, {lane: 'docs'});
  const doomed = await startHostProcess(stage.workspace.root);
  await doomed.ask('open', {by: 'doomed', lane: 'docs'});
  const cut = doomed.call('wu:claim', {id}).catch((error: unknown) => String(error));
  while (!logged().some((event) => event.type === 'wu_claimed' && event.id === id)) await wait(5);
  await doomed.kill();
  expect(await cut).toContain('the process ended');
  expect((await desk.call('wu:claim', {id})).error?.code).toBe('LEASE_HELD');
  stage.letHoursPass(2);
  const claimed = await must(desk, 'wu:claim', {id});
  expect(claimed['taken_from']).toBeDefined();
  expect(desk.task_id).toBe(id);
  expect(stage.git('worktree', 'list')).toContain(`worktrees/${id.toLowerCase()}`);
  expect(stage.git('log', '--format=%s', `main..lane/docs/${id.toLowerCase()}`)).toBe(`Record the spec of ${id}`);
});
