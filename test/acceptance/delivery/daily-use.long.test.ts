// Daily use of work units through the real kernel and sandbox.
import type {Session} from '@lumenflow/host';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {makeDeliveryStage, type DeliveryStage} from '../../support/delivery-stage.ts';
import {codeOf, must} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

let stage: DeliveryStage;
let ada: Session;
let cem: Session;

beforeAll(async () => {
  stage = await makeDeliveryStage({
    gates: {commands: {test: 'true'}},
    defaults: {lane: 'docs'},
    templates: {release: {type: 'process', labels: ['release'], acceptance: ['it is published']}},
  });
  ada = opened(await stage.host.openSession({by: 'ada', lane: 'docs'}));
  cem = opened(await stage.host.openSession({by: 'cem', lane: 'docs'}));
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

test('wu:create needs only a title and code paths for a small fix', async () => {
  const made = await must(ada, 'wu:create', {title: 'Fix a typo', code_paths: ['readme.md']});
  expect(made['filled']).toEqual(expect.arrayContaining(['lane: docs', 'type: chore', 'priority: P2']));
  const {spec} = await must(ada, 'wu:show', {id: made['id']});
  expect(spec).toMatchObject({
    title: 'Fix a typo',
    description: 'Fix a typo',
    acceptance: ['Fix a typo'],
    lane: 'docs',
  });
});

test('wu:create uses templates of workspace.yaml and of files', async () => {
  const release = {template: 'release', title: 'Release 2', code_paths: ['package.json']};
  expect(await codeOf(ada, 'wu:create', release)).toBe('SPEC_INVALID');
  const description = 'Version 2 contains all that was merged in October, and is due in November.';
  const made = await must(ada, 'wu:create', {...release, description});
  expect(made['filled']).toEqual(expect.arrayContaining(['type: process', 'labels: ["release"]']));
  stage.workspace.write({'docs/tasks/templates/typo.yaml': 'type: documentation\npriority: P3\n'});
  const other = await must(ada, 'wu:create', {template: 'typo', title: 'Fix a word', code_paths: ['a.md']});
  expect(other['filled']).toEqual(expect.arrayContaining(['type: documentation', 'priority: P3']));
  expect(await codeOf(ada, 'wu:create', {template: 'none', title: 'Fix a word'})).toBe('TEMPLATE_UNKNOWN');
});

test('work units have an assignee and a due date, which can change during the work', async () => {
  const words = {title: 'Paint the door', code_paths: ['door.md']};
  expect(await codeOf(ada, 'wu:create', {...words, due: '2026-02-31'})).toBe('INVALID_DATE');
  const {id} = await must(ada, 'wu:create', {...words, assignee: 'me', due: '2001-01-01'});
  expect(await must(ada, 'wu:list', {assignee: 'me'})).toMatchObject({units: [{id, assignee: 'ada', overdue: true}]});
  expect(await must(cem, 'wu:list', {assignee: 'me'})).toMatchObject({units: []});
  await must(ada, 'wu:edit', {id: 'WU-1', assignee: 'cem', due: '2100-01-01'});
  await must(ada, 'wu:edit', {id, assignee: null, changes: {title: 'Paint the red door'}});
  expect(idsOf((await must(cem, 'wu:list', {assignee: 'me'}))['units'])).toEqual(['WU-1']);
  expect(await must(ada, 'wu:list', {overdue: true})).toMatchObject({units: [{id, title: 'Paint the red door'}]});
  expect(await must(ada, 'wu:show', {id: 'WU-1'})).toMatchObject({assignee: 'cem', due: '2100-01-01'});
});

test('comments are found, and the history names people', async () => {
  expect(await must(cem, 'wu:comment', {id: 'WU-2', text: 'Mind the chandelier.'})).toMatchObject({comments: 1});
  expect(await codeOf(cem, 'wu:comment', {id: 'WU-99', text: 'x'})).toBe('WU_NOT_FOUND');
  expect(await must(ada, 'wu:search', {query: 'chandelier'})).toMatchObject({units: [{id: 'WU-2'}], total: 1});
  expect(await must(ada, 'wu:search', {query: 'chandelier', status: ['done']})).toMatchObject({total: 0});
  const {entries} = await must(ada, 'wu:history', {id: 'WU-2'});
  const lines = (entries as readonly {readonly who: string; readonly what: string}[]).map(
    ({who, what}) => `${who} ${what}`,
  );
  expect(lines).toContain('ada created it in lane `docs` with priority P1');
  expect(lines.at(-1)).toBe('cem commented: Mind the chandelier.');
  expect((await must(ada, 'wu:history', {id: 'WU-2', comments: true}))['entries']).toHaveLength(1);
  expect(await codeOf(ada, 'wu:history', {id: 'WU-99'})).toBe('WU_NOT_FOUND');
});

/** Creates a work unit, changes one file in it and merges it. */
async function merged(path: string, content: string): Promise<string> {
  const session = opened(await stage.host.openSession({by: 'ada', lane: 'docs'}));
  const {id} = await must(session, 'wu:create', {title: `Change ${path}`, code_paths: [path]});
  const {lease} = await must(session, 'wu:claim', {id});
  await must(session, 'file:write', {path, content});
  await must(session, 'git:add', {paths: [path]});
  await must(session, 'git:commit', {message: 'change it'});
  await must(session, 'wu:done', {id, lease_token: (lease as {token: number}).token});
  return String(id);
}

test('wu:undo reverts a merge through the gates, and a new work unit continues', async () => {
  const session = opened(await stage.host.openSession({by: 'cem', lane: 'docs'}));
  const id = await merged('undo.txt', 'one\n');
  stage.git('reset', '--quiet', '--hard');
  await must(session, 'wu:undo', {id, reason: 'it breaks the build', dry_run: true});
  const undone = await must(session, 'wu:undo', {id, reason: 'it breaks the build'});
  expect(stage.git('rev-parse', 'main')).toBe(undone['commit']);
  expect(stage.git('ls-tree', '--name-only', 'main', 'undo.txt')).toBe('');
  expect(stage.git('ls-tree', '-r', '--name-only', 'main', 'docs')).toContain(`docs/tasks/${id}.yaml`);
  expect(await must(session, 'wu:show', {id: undone['successor']})).toMatchObject({
    status: 'ready',
    spec: {fixes: id, title: 'Change undo.txt'},
  });
  expect(await must(session, 'wu:show', {id})).toMatchObject({reverted: {commit: undone['commit']}});
  expect(await codeOf(session, 'wu:undo', {id, reason: 'twice'})).toBe('ALREADY_REVERTED');
  expect(await codeOf(session, 'wu:undo', {id: 'WU-3', reason: 'not done'})).toBe('WU_NOT_DONE');
});

test('wu:undo changes nothing if later commits changed the same lines', async () => {
  const session = opened(await stage.host.openSession({by: 'cem', lane: 'docs'}));
  const first = await merged('lines.txt', 'one\n');
  await merged('lines.txt', 'two\n');
  const main = stage.git('rev-parse', 'main');
  expect(await codeOf(session, 'wu:undo', {id: first, reason: 'too late'})).toBe('REVERT_CONFLICT');
  expect(stage.git('rev-parse', 'main')).toBe(main);
  expect(await must(session, 'wu:show', {id: first})).not.toHaveProperty('reverted');
});
