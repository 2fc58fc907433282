// One work unit from its claim to the main branch, on a real repository and in the real sandbox: each call in the worktree,
// restricted to the code paths, with gates on the merged tree.
import type {Host, Session} from '@lumenflow/host';
import {execFileSync} from 'node:child_process';
import {chmodSync, existsSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {codeOf, makeHostWorkspace, must, type HostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

let workspace: HostWorkspace;
let host: Host;
let ada: Session;
let lease: number;

const git = (...args: string[]): string => execFileSync('git', args, {cwd: workspace.root, encoding: 'utf8'}).trim();
const here = (path: string): string => join(workspace.root, path);

beforeAll(async () => {
  workspace = makeHostWorkspace({
    firstParty: ['software-delivery'],
    pins: {'software-delivery': {trust: 'in_process'}},
    files: {
      '.gitignore': '.lumenflow/\nnode_modules/\n',
      '.npmrc': 'fund=false\n',
      '.github/workflows/ci.yml': 'on: push\n',
      'docs/größe.md': 'klein\r\n',
      'src/a b.mjs': 'export const a = 1;\n',
      'node_modules/dep/index.mjs': 'export const dep = 1;\n',
      'check.mjs':
        "import 'dep/index.mjs';\nimport {a} from './src/a b.mjs';\nif (a !== 2) throw new Error(`a is ${a}`);\n",
    },
    spec: {
      software_delivery: {
        gates: {commands: {test: 'node check.mjs && echo x > written && test -f .npmrc && git status --short'}},
        git: {author: {name: 'Ada', email: 'ada@example.org'}},
      },
    },
  });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '--quiet', '--message', 'first');
  host = await workspace.start();
  ada = opened(await host.openSession({by: 'ada'}));
});
afterAll(async () => await workspace.remove());

test('a claim makes a worktree that git knows, without what programs outside obey', async () => {
  await must(ada, 'wu:create', {
    title: 'Größe: a is two',
    lane: 'core',
    type: 'bug',
    priority: 'P1',
    description: 'The constant a is one, and everything that reads it expects it to be two.',
    acceptance: ['a is two'],
    code_paths: ['src/**', 'docs/**'],
  });
  const claimed = await must(ada, 'wu:claim', {id: 'WU-1'});
  expect(claimed).toMatchObject({worktree: 'worktrees/wu-1', branch: 'lane/core/wu-1'});
  expect(claimed['left_out']).toEqual(expect.arrayContaining(['.github/workflows/ci.yml', '.npmrc']));
  lease = (claimed['lease'] as {token: number}).token;
  expect(ada.task_id).toBe('WU-1');
  expect(git('-C', 'worktrees/wu-1', 'status', '--porcelain')).toBe('');
  expect(git('status', '--porcelain', '--', 'worktrees')).toBe('');
  expect(existsSync(here('worktrees/wu-1/.npmrc'))).toBe(false);
});

test('calls in it run there, and only within its code paths', async () => {
  expect(await must(ada, 'file:read', {path: 'src/a b.mjs'})).toMatchObject({content: 'export const a = 1;\n'});
  await must(ada, 'file:write', {path: 'src/a b.mjs', content: 'export const a = 2;\n'});
  await must(ada, 'file:write', {path: 'src/neu/ü.mjs', content: 'export {};\n'});
  expect(readFileSync(here('src/a b.mjs'), 'utf8')).toBe('export const a = 1;\n');
  expect(readFileSync(here('worktrees/wu-1/src/a b.mjs'), 'utf8')).toBe('export const a = 2;\n');
  expect(await codeOf(ada, 'file:write', {path: 'check.mjs', content: ''})).toBe('SCOPE_DENIED');
  expect(await codeOf(ada, 'file:write', {path: '../../src/a b.mjs', content: ''})).toMatch(
    /SCOPE_DENIED|INVALID_INPUT/,
  );
  expect(await codeOf(ada, 'file:write', {path: '.git', content: 'gitdir: /elsewhere\n'})).toBe('SCOPE_DENIED');
  expect(await codeOf(ada, 'file:write', {path: 'src/.npmrc', content: ''})).toBe('SCOPE_DENIED');
});

test('it is not done before it is committed, gated and merged', async () => {
  const asked = {id: 'WU-1', lease_token: lease};
  expect(await codeOf(ada, 'wu:done', asked)).toBe('UNCOMMITTED_WORK');
  const completed = await host.runtime.completeTask({task_id: 'WU-1', by: 'ada', session_id: ada.session_id});
  expect(completed).toMatchObject({success: false, error: {code: 'POLICY_DENIED'}});
  await must(ada, 'git:add', {all: true});
  await must(ada, 'git:commit', {message: 'a is two'});
  const prepared = await must(ada, 'wu:prep', asked);
  expect(prepared).toMatchObject({
    changed: ['docs/tasks/WU-1.yaml', 'src/a b.mjs', 'src/neu/ü.mjs'],
    uncommitted: [],
    outside: [],
    conflicts: [],
    gates: {passed: true, gates: [{name: 'test', output_tail: expect.stringContaining('?? written')}]},
    ready: true,
  });
  const direct = await host.runtime.completeTask({task_id: 'WU-1', by: 'ada', session_id: ada.session_id});
  expect(direct).toMatchObject({success: false, error: {message: expect.stringContaining('not merged')}});
  expect(await codeOf(ada, 'wu:done', {...asked, lease_token: lease + 1})).toBe('LEASE_STALE');
});

test('wu:done lands it on what others have merged since, beside a dirty checkout', async () => {
  workspace.write({'docs/größe.md': 'groß\r\n'});
  git('-c', 'user.name=Bob', '-c', 'user.email=bob@example.org', 'commit', '--quiet', '--all', '--message', 'other');
  const theirs = git('rev-parse', 'main');
  workspace.write({'src/a b.mjs': 'the person is at work here\n'});
  const done = await must(ada, 'wu:done', {id: 'WU-1', lease_token: lease});
  expect(done).toMatchObject({
    main_branch: 'main',
    commit: git('rev-parse', 'main'),
    cleaned: true,
    checkouts: [{path: '.', updated: false}],
    stamp: {tree_hash: git('rev-parse', 'main^{tree}')},
  });
  expect(git('rev-parse', 'main~2')).toBe(theirs);
  expect(git('show', 'main:src/a b.mjs')).toBe('export const a = 2;');
  expect(readFileSync(here('src/a b.mjs'), 'utf8')).toBe('the person is at work here\n');
  expect(String(done['behind'])).toContain('A commit there would revert this work. Run first:\ngit ');
  expect(host.runtime.listTasks({state: 'done'}).map(({task_id}) => task_id)).toEqual(['WU-1']);
  expect(await must(ada, 'gates:results', {task_id: 'WU-1'})).toMatchObject({runs: [{passed: true}, {passed: true}]});
});

test('nothing of it is left', () => {
  expect(ada.task_id).not.toBe('WU-1');
  expect(existsSync(here('worktrees/wu-1'))).toBe(false);
  expect(git('worktree', 'list', '--porcelain')).not.toContain('wu-1');
  expect(git('branch', '--list', 'lane/*')).toBe('');
});

test('a clean checkout follows, so that the next commit there reverts nothing', async () => {
  git('reset', '--quiet', '--hard', 'main');
  await must(ada, 'wu:create', {
    title: 'A module more',
    lane: 'core',
    type: 'feature',
    priority: 'P2',
    description: 'There is a module that nothing reads yet, so that something can be merged.',
    acceptance: ['it is there'],
    code_paths: ['src/**'],
  });
  const {lease: taken} = await must(ada, 'wu:claim', {id: 'WU-2'});
  const lease_token = (taken as {token: number}).token;
  await must(ada, 'file:write', {path: 'src/more.mjs', content: 'export {};\n'});
  await must(ada, 'file:delete', {path: 'src/neu/ü.mjs'});
  await must(ada, 'git:add', {all: true});
  await must(ada, 'git:commit', {message: 'a module more'});
  const done = await must(ada, 'wu:done', {id: 'WU-2', lease_token});
  expect(done).toMatchObject({cleaned: true, checkouts: [{path: '.', updated: true}]});
  expect(done).not.toHaveProperty('behind');
  expect(readFileSync(here('src/more.mjs'), 'utf8')).toBe('export {};\n');
  expect(existsSync(here('src/neu'))).toBe(false);
  expect(git('status', '--porcelain')).toBe('');
});

test('a clean checkout follows where the code paths are single files', async () => {
  await must(ada, 'wu:create', {
    title: 'Three files',
    lane: 'core',
    type: 'feature',
    priority: 'P2',
    description: 'One file changes, one is new and one is gone, and each is named by its own path.',
    acceptance: ['they are'],
    code_paths: ['src/a b.mjs', 'lib/[id].mjs', 'src/more.mjs'],
  });
  const {lease: taken} = await must(ada, 'wu:claim', {id: 'WU-3'});
  const lease_token = (taken as {token: number}).token;
  await must(ada, 'file:write', {path: 'src/a b.mjs', content: 'export const a = 2; // still\n'});
  await must(ada, 'file:write', {path: 'lib/[id].mjs', content: 'export {};\n'});
  await must(ada, 'file:delete', {path: 'src/more.mjs'});
  await must(ada, 'git:add', {all: true});
  await must(ada, 'git:commit', {message: 'three files'});
  const done = await must(ada, 'wu:done', {id: 'WU-3', lease_token});
  expect(done).toMatchObject({checkouts: [{path: '.', updated: true}]});
  expect(readFileSync(here('src/a b.mjs'), 'utf8')).toBe('export const a = 2; // still\n');
  expect(existsSync(here('lib/[id].mjs'))).toBe(true);
  expect(existsSync(here('src/more.mjs'))).toBe(false);
  expect(git('status', '--porcelain')).toBe('');
});

test('a new executable file, which no call can create alone, leaves a command that brings it', async () => {
  await must(ada, 'wu:create', {
    title: 'A program',
    lane: 'core',
    type: 'feature',
    priority: 'P2',
    description: 'There is a program that people can start from the root of the repository.',
    acceptance: ['it starts'],
    code_paths: ['src/start.sh'],
  });
  const {lease: taken} = await must(ada, 'wu:claim', {id: 'WU-4'});
  const lease_token = (taken as {token: number}).token;
  await must(ada, 'file:write', {path: 'src/start.sh', content: '#!/bin/sh\n'});
  chmodSync(here('worktrees/wu-4/src/start.sh'), 0o755);
  await must(ada, 'git:add', {all: true});
  await must(ada, 'git:commit', {message: 'a program'});
  const done = await must(ada, 'wu:done', {id: 'WU-4', lease_token});
  expect(done).toMatchObject({checkouts: [{path: '.', updated: false}]});
  expect(existsSync(here('src/start.sh'))).toBe(false);
  execFileSync('sh', ['-c', String(done['behind']).split('\n').at(-1) ?? ''], {cwd: workspace.root});
  expect(statSync(here('src/start.sh')).mode & 0o111).not.toBe(0);
  expect(git('status', '--porcelain')).toBe('');
});
