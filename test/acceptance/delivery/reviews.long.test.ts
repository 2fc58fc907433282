// `done: pull_request` with a real remote over HTTP, a forge on loopback, and the real sandbox with its network allowlist.
import type {Session} from '@lumenflow/host';
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {makeDeliveryStage, type DeliveryStage} from '../../support/delivery-stage.ts';
import {startGitServer, type GitServer} from '../../support/git-server.ts';
import {codeOf, must} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

interface Pull {
  readonly number: number;
  readonly html_url: string;
  readonly title: string;
  readonly body: string;
  readonly head: string;
  state: 'open' | 'closed';
  merged: boolean;
  merge_commit_sha: string | null;
}

let remote: GitServer;
let forge: Server;
let stage: DeliveryStage;
let ada: Session;
const pulls: Pull[] = [];

/** The part of GitHub's API that opens and reads pull requests. */
function startForge(): Server {
  return createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    request.on('end', () => {
      const reply = (status: number, body: unknown): void => void response.writeHead(status).end(JSON.stringify(body));
      if (request.headers.authorization !== 'Bearer forge-token') return reply(401, {message: 'Bad credentials'});
      const [, number] = /^\/repos\/acme\/rooms\/pulls\/(\d+)$/u.exec(request.url ?? '') ?? [];
      const fields = text === '' ? {} : (JSON.parse(text) as Pull);
      const found = pulls.find((pull) => String(pull.number) === number);
      if (found !== undefined) return reply(200, Object.assign(found, fields));
      const isOpen = pulls.find(({head, state}) => state === 'open' && 'head' in fields && head === fields.head);
      if (request.method === 'GET')
        return reply(
          200,
          pulls.filter(({state}) => state === 'open'),
        );
      if (isOpen !== undefined) return reply(422, {message: 'Validation Failed'});
      const next = pulls.length + 1;
      const url = {number: next, html_url: `https://forge.example/acme/rooms/pull/${next}`};
      pulls.push({...(fields as Pull), ...url, state: 'open', merged: false, merge_commit_sha: null});
      reply(201, pulls.at(-1));
    });
  });
}

beforeAll(async () => {
  remote = await startGitServer('git-token');
  forge = startForge();
  await new Promise<void>((resolve) => forge.listen(0, '127.0.0.1', resolve));
  const api = `127.0.0.1:${(forge.address() as AddressInfo).port}`;
  stage = await makeDeliveryStage(
    {
      gates: {commands: {test: 'test ! -e src/broken'}},
      done: 'pull_request',
      remotes: {origin: {hosts: [remote.address], token_env: 'GIT_TOKEN'}},
      forge: {kind: 'github', project: 'acme/rooms', api_url: `http://${api}`, token_env: 'FORGE_TOKEN'},
    },
    {network: [remote.address, api], env: {GIT_TOKEN: 'git-token', FORGE_TOKEN: 'forge-token'}},
  );
  stage.git('remote', 'add', 'origin', remote.url);
  push('main');
  ada = opened(await stage.host.openSession({by: 'ada', lane: 'docs'}));
});
afterAll(async () => {
  await stage.workspace.remove();
  await remote.close();
  forge.close();
});

const push = (refspec: string): string => stage.git('push', '--quiet', remote.path, refspec);

/** A work unit with one commit that is ready for review. */
async function claimed(session: Session, path: string): Promise<{readonly id: string; readonly lease_token: number}> {
  const id = await stage.createWu(session, {lane: 'docs', code_paths: [path]});
  const {lease} = await must(session, 'wu:claim', {id});
  await change(session, path, 'one\n');
  return {id, lease_token: (lease as {token: number}).token};
}

async function change(session: Session, path: string, content: string): Promise<void> {
  await must(session, 'file:write', {path, content});
  await must(session, 'git:add', {paths: [path]});
  await must(session, 'git:commit', {message: `change ${path}`});
}

/** As the forge does it: one commit with the work's tree on the remote's main branch. */
function squash(branch: string): string {
  const tree = remote.git('rev-parse', `${branch}^{tree}`);
  const who = ['-c', 'user.name=Forge', '-c', 'user.email=forge@example.org'];
  const commit = remote.git(...who, 'commit-tree', '-p', 'main', '-m', 'squashed', tree);
  remote.git('update-ref', 'refs/heads/main', commit);
  return commit;
}

describe('wu:done opens a pull request', () => {
  let work: {readonly id: string; readonly lease_token: number};

  test('after the gates, with the text of the work unit', async () => {
    work = await claimed(ada, 'src/a.txt');
    await change(ada, 'src/a.txt', 'two\n');
    const done = await must(ada, 'wu:done', work);
    const branch = `lane/docs/${work.id.toLowerCase()}`;
    expect(done).toMatchObject({cleaned: false, review: {branch, number: 1, remote: 'origin'}});
    expect(remote.git('rev-parse', branch)).toBe(stage.git('rev-parse', branch));
    expect(pulls).toMatchObject([{head: branch, base: 'main', title: `${work.id}: Work unit number 1`}]);
    expect(pulls[0]?.body).toContain('- [x] `test` passed');
    expect(stage.git('log', '--format=%s', 'main')).toBe('first');
    const listed = await must(ada, 'wu:list', {in_review: true});
    expect(listed).toMatchObject({units: [{id: work.id, status: 'in_progress', review_url: pulls[0]?.html_url}]});
  });

  test('later commits update it', async () => {
    await change(ada, 'src/a.txt', 'three\n');
    expect(await must(ada, 'wu:done', work)).toMatchObject({review: {number: 1}});
    const branch = `lane/docs/${work.id.toLowerCase()}`;
    expect(remote.git('rev-parse', branch)).toBe(stage.git('rev-parse', branch));
    expect(pulls).toHaveLength(1);
    expect(await must(ada, 'wu:sync', {})).toMatchObject({reviews: [{id: work.id, state: 'open', outcome: 'waits'}]});
  });

  test('a closed one reopens the work unit', async () => {
    if (pulls[0] !== undefined) pulls[0].state = 'closed';
    expect(await must(ada, 'wu:sync', {dry_run: true})).toMatchObject({reviews: [{state: 'closed', outcome: 'waits'}]});
    expect(await must(ada, 'wu:sync', {})).toMatchObject({reviews: [{state: 'closed', outcome: 'reopened'}]});
    expect(await must(ada, 'wu:list', {in_review: true})).toMatchObject({total: 0});
    expect(await must(ada, 'wu:done', work)).toMatchObject({review: {number: 2}});
  });

  test('a merged one completes the work unit, also if it was squashed', async () => {
    const commit = squash(`lane/docs/${work.id.toLowerCase()}`);
    Object.assign(pulls[1] ?? {}, {state: 'closed', merged: true, merge_commit_sha: commit});
    expect(await must(ada, 'wu:sync', {})).toMatchObject({reviews: [{id: work.id, state: 'merged', outcome: 'done'}]});
    expect(stage.git('rev-parse', 'main')).toBe(commit);
    const cem = opened(await stage.host.openSession({by: 'cem', lane: 'docs'}));
    expect(await must(cem, 'wu:show', {id: work.id})).toMatchObject({status: 'done', commit, review: {number: 2}});
    await must(cem, 'doctor', {fix: true});
    expect(stage.git('worktree', 'list')).not.toContain(work.id.toLowerCase());
  });
});

test('failing gates open nothing', async () => {
  const session = opened(await stage.host.openSession({by: 'ada', lane: 'docs'}));
  const work = await claimed(session, 'src/broken');
  expect(await codeOf(session, 'wu:done', work)).toBe('GATES_FAILED');
  expect(pulls).toHaveLength(2);
  await must(session, 'wu:release', {...work, reason: 'it is broken'});
});

test('another session waits for the lease; then it takes over, and runs the gates if the main branch moved', async () => {
  const session = opened(await stage.host.openSession({by: 'ada', lane: 'docs'}));
  const work = await claimed(session, 'src/b.txt');
  await must(session, 'wu:done', work);
  const who = ['-c', 'user.name=Forge', '-c', 'user.email=forge@example.org'];
  const branch = `lane/docs/${work.id.toLowerCase()}`;
  const commit = remote.git(...who, 'commit-tree', '-p', branch, '-m', 'moved on', 'lane/docs/wu-1^{tree}');
  remote.git('update-ref', 'refs/heads/main', commit);
  Object.assign(pulls[2] ?? {}, {state: 'closed', merged: true, merge_commit_sha: commit});
  const cem = opened(await stage.host.openSession({by: 'cem', lane: 'docs'}));
  const early = await must(cem, 'wu:sync', {});
  expect(early).toMatchObject({
    reviews: [{state: 'merged', outcome: 'waits', reason: expect.stringContaining(session.session_id)}],
  });
  stage.letHoursPass(2);
  const [late] = (await must(cem, 'wu:sync', {id: work.id}))['reviews'] as readonly {readonly reason: string}[];
  expect(late).toMatchObject({state: 'merged', outcome: 'waits', reason: expect.stringContaining('wu:done')});
  const token = Number(/lease token (\d+)/u.exec(late?.reason ?? '')?.[1]);
  expect(await must(cem, 'wu:done', {id: work.id, lease_token: token})).toMatchObject({commit});
  expect(stage.git('rev-parse', 'main')).toBe(commit);
});
