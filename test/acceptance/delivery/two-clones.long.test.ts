// Two clones of a repository share the log of work units through a bare remote, in the real sandbox with its network allowlist.
import type {Session} from '@lumenflow/host';
import type {PolicyRule} from '@lumenflow/schemas';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {makeDeliveryStage, type DeliveryStage} from '../../support/delivery-stage.ts';
import {startGitServer, type GitServer} from '../../support/git-server.ts';
import {codeOf, must} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

const notNine: PolicyRule = {
  id: 'not-nine',
  trigger: 'on_claim',
  decision: 'deny',
  reason: 'nobody starts WU-9',
  when: {task: 'WU-9'},
};

let remote: GitServer;
let stages: readonly [DeliveryStage, DeliveryStage];
let ada: Session;
let cem: Session;

beforeAll(async () => {
  remote = await startGitServer('git-token');
  const make = async (): Promise<DeliveryStage> => {
    const stage = await makeDeliveryStage(
      {
        gates: {commands: {test: 'true'}},
        remotes: {origin: {hosts: [remote.address], token_env: 'GIT_TOKEN'}},
        sync: {remote: 'origin', offline: 'allow'},
      },
      {
        network: [remote.address],
        env: {GIT_TOKEN: 'git-token'},
        policies: {default_decision: 'allow', rules: [notNine]},
      },
    );
    stage.git('remote', 'add', 'origin', remote.url);
    return stage;
  };
  stages = [await make(), await make()];
  stages[0].git('push', '--quiet', remote.path, 'main');
  stages[1].git('fetch', '--quiet', remote.path, 'main');
  stages[1].git('reset', '--quiet', '--hard', 'FETCH_HEAD');
  [ada, cem] = await Promise.all([open(0, 'ada'), open(1, 'cem')]);
});
afterAll(async () => {
  await Promise.all(stages.map(async ({workspace}) => await workspace.remove()));
  await remote.close();
});

const open = async (clone: 0 | 1, by: string, session_id?: string): Promise<Session> =>
  opened(await stages[clone].host.openSession({by, lane: 'docs', ...(session_id !== undefined && {session_id})}));
const tokenOf = (claimed: Record<string, unknown>): number => (claimed['lease'] as {readonly token: number}).token;

test('both see work units, assignments and comments, in the same order', async () => {
  await stages[0].createWu(ada, {lane: 'docs'});
  await must(ada, 'wu:sync', {});
  expect(await must(cem, 'wu:sync', {})).toMatchObject({log: {received: 1, published: 0, conflicts: []}});
  expect(await must(cem, 'wu:show', {id: 'WU-1'})).toMatchObject({spec_recorded: true, status: 'ready'});
  await must(ada, 'wu:comment', {id: 'WU-1', text: 'from ada'});
  await must(cem, 'wu:comment', {id: 'WU-1', text: 'from cem'});
  await must(ada, 'wu:edit', {id: 'WU-1', assignee: 'ada'});
  await must(cem, 'wu:edit', {id: 'WU-1', assignee: 'cem'});
  for (const session of [ada, cem, ada, cem]) await must(session, 'wu:sync', {});
  const seen = await Promise.all(
    [ada, cem].map(async (session) => {
      const {assignee, comments} = await must(session, 'wu:show', {id: 'WU-1'});
      return {assignee, comments};
    }),
  );
  expect(seen).toEqual([
    {assignee: 'cem', comments: 2},
    {assignee: 'cem', comments: 2},
  ]);
  expect(await must(ada, 'wu:sync', {})).toMatchObject({log: {received: 0, published: 0}});
});

test('of simultaneous claims in two clones, one wins, and both know the holder', async () => {
  const codes = await Promise.all(
    [ada, cem].map(async (session) => {
      const {success, error} = await session.call('wu:claim', {id: 'WU-1'});
      return success ? 'claimed' : error?.code;
    }),
  );
  expect(new Set(codes)).toEqual(new Set(['LEASE_HELD', 'claimed']));
  const [first, second] = await Promise.all([open(0, 'ann'), open(1, 'bob')]);
  await must(first, 'wu:sync', {});
  await must(second, 'wu:sync', {});
  const winner = codes[0] === 'claimed' ? ada : cem;
  for (const session of [first, second]) {
    expect(await must(session, 'wu:show', {id: 'WU-1'})).toMatchObject({
      status: 'in_progress',
      lease: {session_id: winner.session_id},
    });
  }
  await must(winner, 'wu:release', {
    id: 'WU-1',
    lease_token: tokenOf(await must(winner, 'wu:claim', {id: 'WU-1'})),
    reason: 'for another',
  });
  for (const session of [first, second]) {
    await must(session, 'wu:sync', {});
    expect(await must(session, 'wu:show', {id: 'WU-1'})).toMatchObject({status: 'ready'});
  }
});

test('both see that it is done', async () => {
  const session = await open(0, 'ada');
  const claimed = await must(session, 'wu:claim', {id: 'WU-1'});
  await must(session, 'file:write', {path: 'src/part-1/a.txt', content: 'a\n'});
  await must(session, 'git:add', {paths: ['src/part-1/a.txt']});
  await must(session, 'git:commit', {message: 'add a'});
  await must(session, 'wu:done', {id: 'WU-1', lease_token: tokenOf(claimed)});
  const there = await open(1, 'bob');
  expect(await codeOf(there, 'wu:claim', {id: 'WU-1'})).toBe('WU_DONE');
  expect(await must(there, 'wu:history', {id: 'WU-1', limit: 1})).toMatchObject({entries: [{who: 'ada'}]});
});

test('each step of a claim is published, and a name is the same session in one clone only', async () => {
  const [session, namesake] = await Promise.all([open(0, 'dan', 'work'), open(1, 'eve', 'work')]);
  const id = await stages[0].createWu(session, {lane: 'docs'});
  const seen = async (): Promise<unknown> => {
    await must(cem, 'wu:sync', {});
    return (await must(cem, 'wu:show', {id}))['status'];
  };
  expect(await seen()).toBe('ready');
  const lease_token = tokenOf(await must(session, 'wu:claim', {id}));
  expect(await seen()).toBe('in_progress');
  expect(await codeOf(namesake, 'wu:claim', {id})).toBe('LEASE_HELD');
  for (const tool of ['wu:block', 'wu:release'])
    expect(await codeOf(namesake, tool, {id, lease_token, reason: 'mine'})).toBe('WU_OF_ANOTHER_SESSION');
  await must(session, 'wu:block', {id, lease_token, reason: 'no key'});
  expect(await seen()).toBe('blocked');
  await must(session, 'wu:unblock', {id, lease_token});
  expect(await seen()).toBe('in_progress');
  await must(session, 'wu:release', {id, lease_token, reason: 'enough'});
  expect(await seen()).toBe('ready');
});

test('another clone edits a work unit, and it is claimed, edited and finished here with the newest spec', async () => {
  const id = await stages[0].createWu(ada, {lane: 'docs', code_paths: ['src/old/**']});
  await must(cem, 'wu:sync', {});
  const taskOf = (clone: 0 | 1): unknown =>
    stages[clone].host.runtime.listTasks().find((task) => task.task_id === id)?.state;
  expect(taskOf(1)).toBe('ready');
  await must(ada, 'wu:edit', {id, changes: {code_paths: ['src/new/**']}});
  const session = await open(1, 'cem');
  const lease_token = tokenOf(await must(session, 'wu:claim', {id}));
  await must(session, 'file:write', {path: 'src/new/a.txt', content: 'a\n'});
  await must(session, 'git:add', {paths: ['src/new/a.txt']});
  await must(session, 'git:commit', {message: 'add a'});
  await must(session, 'wu:done', {id, lease_token});
  stages[1].git('push', '--quiet', remote.path, 'main');
  await must(ada, 'wu:sync', {});
  expect(await must(ada, 'wu:show', {id})).toMatchObject({status: 'done', spec: {code_paths: ['src/new/**']}});
  // The untracked spec file does not block the pull.
  stages[0].git('reset', '--quiet', '--hard', 'main');
  stages[0].git('pull', '--quiet', '--rebase', remote.path, 'main');
  expect(stages[0].git('status', '--porcelain', '--', `docs/tasks/${id}.yaml`)).toBe('');
  expect(taskOf(0)).toBe('cancelled');
});

test('a claim that the kernel rejects is not published', async () => {
  const session = await open(0, 'ada');
  const id = await stages[0].createWu(session, {id: 'WU-9', lane: 'docs'});
  const before = remote.git('rev-parse', 'refs/lumenflow/log');
  expect(await codeOf(session, 'wu:claim', {id})).toBe('POLICY_DENIED');
  expect(remote.git('rev-parse', 'refs/lumenflow/log')).toBe(before);
});

test('a claim without the remote is a conflict if the other clone claimed too, and is reported', async () => {
  const [first, second] = await Promise.all([open(0, 'ada'), open(1, 'cem')]);
  const id = await stages[0].createWu(first, {lane: 'docs'});
  await must(second, 'wu:sync', {});
  remote.down();
  expect(await must(second, 'wu:claim', {id})).toMatchObject({unsynced: true});
  remote.up();
  expect(await must(first, 'wu:claim', {id})).not.toHaveProperty('unsynced');
  const other = await open(1, 'bob');
  expect(await must(other, 'wu:sync', {})).toMatchObject({
    log: {conflicts: [{id, kind: 'claim', theirs: first.session_id}]},
  });
  expect(await must(other, 'wu:show', {id})).toMatchObject({lease: {session_id: first.session_id}});
});
