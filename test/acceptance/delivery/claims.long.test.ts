// Claims from several processes at once, and one that is killed in the middle.
import {existsSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {makeDeliveryStage, type DeliveryStage} from '../../support/delivery-stage.ts';
import {startHostProcess, type HostProcess} from '../../support/host-process.ts';
import {must} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

let stage: DeliveryStage;
const processes: HostProcess[] = [];

beforeAll(async () => {
  stage = await makeDeliveryStage();
  const {root} = stage.workspace;
  processes.push(...(await Promise.all([startHostProcess(root), startHostProcess(root)])));
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

const typesOf = (id: string): readonly string[] =>
  logged()
    .filter((event) => event.id === id)
    .map(({type}) => type);

test('of claims from two processes and this one, one is granted', async () => {
  const desk = opened(await stage.host.openSession({by: 'ada', lane: 'docs'}));
  const id = await stage.createWu(desk, {lane: 'docs'});
  await Promise.all(processes.map((each, index) => each.ask('open', {by: `agent-${index}`, lane: 'docs'})));
  const outputs = await Promise.all([
    desk.call('wu:claim', {id}),
    ...processes.map(async (each) => await each.call('wu:claim', {id})),
  ]);
  const codes = outputs.map(({success, error}) => (success ? 'granted' : error.code));
  expect(codes.toSorted((left, right) => left.localeCompare(right))).toEqual(['granted', 'LEASE_HELD', 'LEASE_HELD']);
  expect(typesOf(id)).toEqual(['wu_created', 'wu_claimed', 'wu_started']);
});

test('ids are unique across processes', async () => {
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

test('a claim that was killed is finished by claiming again, once its lease is over', {timeout: 300_000}, async () => {
  const desk = opened(await stage.host.openSession({by: 'eve', lane: 'docs'}));
  const id = await stage.createWu(desk, {lane: 'docs'});
  const doomed = await startHostProcess(stage.workspace.root);
  processes.push(doomed);
  await doomed.ask('open', {by: 'doomed', lane: 'docs'});
  const cut = doomed.call('wu:claim', {id}).catch((error: unknown) => String(error));
  await expect.poll(() => typesOf(id), {interval: 5, timeout: 120_000}).toContain('wu_claimed');
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

test('a worktree that a killed git had only begun, and its locks, are not in the way of a claim', async () => {
  const desk = opened(await stage.host.openSession({by: 'fay', lane: 'docs'}));
  const id = await stage.createWu(desk, {lane: 'docs'});
  const name = id.toLowerCase();
  stage.git('worktree', 'add', '--quiet', '--no-checkout', '-b', `lane/docs/${name}`, `worktrees/${name}`);
  const admin = join(stage.workspace.root, '.git/worktrees', name);
  writeFileSync(join(admin, 'locked'), 'initializing');
  rmSync(join(admin, 'HEAD'));
  writeFileSync(join(stage.workspace.root, `.git/refs/heads/lane/docs/${name}.lock`), '');
  await must(desk, 'wu:claim', {id});
  expect(stage.git('-C', `worktrees/${name}`, 'status', '--porcelain=v2', '--branch')).toContain(`lane/docs/${name}`);
  expect(readdirSync(join(stage.workspace.root, '.git/worktrees')).filter((entry) => entry.startsWith(name))).toEqual([
    name,
  ]);
});
