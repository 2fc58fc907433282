import {expect, test} from 'vitest';
import {createTestWorkspace, type TestWorkspace} from '../test-workspace.fixture.ts';
import {revertCommits, type Revert} from './revert-commits.ts';

const committer = {name: 'Ada', email: 'ada@example.org'};

const lines = (from: number, to: number): string =>
  Array.from({length: to - from + 1}, (_, at) => `line ${from + at}\n`).join('');

async function commit(workspace: TestWorkspace, files: Readonly<Record<string, string>>): Promise<string> {
  for (const [path, content] of Object.entries(files)) await workspace.put(path, content);
  await workspace.git('add', '--all');
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  await workspace.git(...who, 'commit', '--quiet', '--message', 'x');
  return (await workspace.git('rev-parse', 'HEAD')).trim();
}

async function start(): Promise<{workspace: TestWorkspace; range: Revert}> {
  const workspace = await createTestWorkspace();
  await workspace.git('init', '--quiet', '--initial-branch=main');
  const from = await commit(workspace, {'a ü.txt': lines(1, 9), 'b.txt': 'b\n'});
  await commit(workspace, {'a ü.txt': `new\n${lines(2, 9)}`, 'new.txt': 'new\n'});
  const to = await commit(workspace, {'docs/WU-1.yaml': 'id: WU-1\n', 'b.txt': 'c\n'});
  return {workspace, range: {tip: to, from, to, kept: ['docs/WU-1.yaml'], committer, message: 'Revert\n'}};
}

test('all commits of the range are reverted by one, except kept paths', async () => {
  const {workspace, range} = await start();
  const tip = await commit(workspace, {'later.txt': 'later\n', 'a ü.txt': `new\n${lines(2, 8)}end\n`});
  const made = await revertCommits(workspace.context(undefined), {...range, tip});
  expect((await workspace.git('ls-tree', '-r', '-z', '--name-only', made)).split('\0')).toEqual([
    'a ü.txt',
    'b.txt',
    'docs/WU-1.yaml',
    'later.txt',
    '',
  ]);
  expect(await workspace.git('show', `${made}:a ü.txt`)).toBe(`${lines(1, 8)}end\n`);
  expect((await workspace.git('rev-parse', `${made}^`)).trim()).toBe(tip);
  expect(await revertCommits(workspace.context(undefined), {...range, tip: made})).toBe(made);
  expect((await workspace.git('rev-parse', 'main')).trim()).toBe(tip);
});

test('a later change of the same lines is a conflict, which names the paths', async () => {
  const {workspace, range} = await start();
  const tip = await commit(workspace, {'b.txt': 'd\n'});
  await expect(revertCommits(workspace.context(undefined), {...range, tip})).rejects.toMatchObject({
    code: 'REVERT_CONFLICT',
    message: expect.stringContaining('`b.txt`'),
    details: {paths: ['b.txt']},
  });
});
