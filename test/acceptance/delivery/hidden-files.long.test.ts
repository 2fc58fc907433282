// Tracked files under a deny overlay, through the real kernel and sandbox: git's tools neither show nor commit them.
import type {Session} from '@lumenflow/host';
import {execFileSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {codeOf, everything, makeHostWorkspace, must, type HostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

let workspace: HostWorkspace;
let session: Session;

const git = (...args: string[]): string => {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  return execFileSync('git', [...who, ...args], {cwd: workspace.root, encoding: 'utf8'}).trim();
};

beforeAll(async () => {
  workspace = makeHostWorkspace({
    firstParty: ['software-delivery'],
    files: {'.gitignore': '.lumenflow/\n', 'src/a': 'one\n', 'secrets/t': 'tok=T0P\n', '.env': 'KEY=T0P\n'},
    spec: {
      lanes: [{id: 'core', allowed_scopes: everything}],
      security: {allowed_scopes: everything, deny_overlays: ['secrets/**']},
      software_delivery: {git: {author: {name: 'Ada', email: 'ada@example.org'}}},
    } as never,
  });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all', '--force');
  git('commit', '--quiet', '--message', 'first');
  session = opened(await (await workspace.start()).openSession({by: 'agent', lane: 'core'}));
});
afterAll(async () => await workspace.remove());

test('neither patches nor contents show them', async () => {
  const shown = await must(session, 'git:show', {revision: 'HEAD'});
  const diff = await must(session, 'git:diff', {from: 'HEAD'});
  const status = await must(session, 'git:status');
  expect(JSON.stringify(shown)).toContain('src/a');
  expect(JSON.stringify([shown, diff, status])).not.toMatch(/T0P|secrets\/t|\.env/);
  for (const path of ['secrets/t', '.env']) {
    expect(await codeOf(session, 'git:show', {revision: 'HEAD', path})).toBe('SCOPE_DENIED');
  }
});

test('a commit of all leaves them as they are', async () => {
  writeFileSync(join(workspace.root, 'src/a'), 'two\n');
  await must(session, 'git:add', {all: true});
  await must(session, 'git:commit', {message: 'edit'});
  expect(git('show', '--format=', '--name-only', 'HEAD').split('\n')).toContain('src/a');
  expect(git('ls-tree', '-r', '--name-only', 'HEAD').split('\n')).toEqual(
    expect.arrayContaining(['.env', 'secrets/t']),
  );
});
