// A person's checkout of the main branch while work units are merged, one after the other, and the commands that bring it up to date.
import {execFileSync} from 'node:child_process';
import {describe, expect, it} from 'vitest';
import {createTestWorkspace, type TestWorkspace} from '../test-workspace.fixture.ts';
import {describeCheckouts} from './describe-checkouts.ts';

const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];

interface Stage extends TestWorkspace {
  /** Moves the main branch as `wu:done` does, without its checkout. null deletes a file. */
  merge(files: Readonly<Record<string, string | null>>): Promise<void>;
  /** What `wu:done` would print now. */
  behind(): Promise<string>;
  /** Runs the printed commands as the person would. */
  follow(): Promise<void>;
}

const original = {a: '1\n2\n3\n4\n5\n', b: 'b\n', c: 'c\n', gone: 'x\n'};

async function createStage(): Promise<Stage> {
  const workspace = await createTestWorkspace();
  const {git, put, root} = workspace;
  await git('init', '--quiet', '--initial-branch=main');
  for (const [path, text] of Object.entries(original)) await put(path, text);
  await git('add', '--all');
  await git(...who, 'commit', '--quiet', '--message', 'first');
  await git('worktree', 'add', '--quiet', '--detach', 'worktrees/work');
  await put('.git/info/exclude', 'worktrees\n');
  const behind = async (): Promise<string> =>
    (await describeCheckouts(workspace.context({}), {updated: false})).behind ?? '';
  return {
    ...workspace,
    behind,
    async merge(files) {
      const work = ['-C', 'worktrees/work'];
      await git(...work, 'checkout', '--quiet', '--detach', 'main');
      for (const [path, text] of Object.entries(files)) {
        if (text === null) await git(...work, 'rm', '--quiet', '--', path);
        else await put(`worktrees/work/${path}`, text);
      }
      await git(...work, 'add', '--all');
      await git(...work, ...who, 'commit', '--quiet', '--message', 'merge');
      await git('update-ref', 'refs/heads/main', (await git(...work, 'rev-parse', 'HEAD')).trim());
    },
    async follow() {
      const commands = (await behind()).split('\n').filter((line) => line.startsWith('git '));
      const env = {
        PATH: process.env['PATH'] ?? '',
        HOME: root,
        GIT_CONFIG_COUNT: '2',
        GIT_CONFIG_KEY_0: 'user.name',
        GIT_CONFIG_VALUE_0: 'Ada',
        GIT_CONFIG_KEY_1: 'user.email',
        GIT_CONFIG_VALUE_1: 'ada@example.org',
      };
      execFileSync('sh', ['-euc', commands.join('\n')], {
        cwd: root,
        env,
        stdio: 'pipe',
      });
    },
  };
}

describe('the command for a checkout that is behind', () => {
  it.each([1, 2, 3])('covers all of %i merges, so that the next commit reverts none', async (merges) => {
    const stage = await createStage();
    await stage.put('c', 'mine\n');
    const merged = [{a: '1\n2\n3\n4\nmerged\n'}, {b: 'merged\n', 'new/file': 'new\n'}, {gone: null}].slice(0, merges);
    for (const files of merged) await stage.merge(files);
    await stage.follow();
    expect(await stage.git('status', '--porcelain')).toBe(' M c\n');
    await stage.git(...who, 'commit', '--quiet', '--all', '--message', 'mine');
    expect(await stage.git('diff', '--name-only', 'HEAD~1')).toBe('c\n');
    expect(await stage.behind()).not.toContain('git ');
  });

  it('starts from the right merge if the person ran only the command of an earlier one', async () => {
    const stage = await createStage();
    await stage.put('c', 'mine\n');
    await stage.merge({a: 'merged\n'});
    await stage.follow();
    await stage.merge({b: 'merged\n'});
    await stage.merge({a: 'merged again\n'});
    await stage.follow();
    expect(await stage.git('status', '--porcelain')).toBe(' M c\n');
    expect(await stage.text('a')).toBe('merged again\n');
  });

  it('combines changes in a file that was merged twice, and loses none', async () => {
    const stage = await createStage();
    await stage.put('a', 'mine\n2\n3\n4\n5\n');
    await stage.merge({a: '1\n2\n3\n4\nmerged\n'});
    await stage.put('c', 'edited in between\n');
    await stage.merge({b: 'merged\n', a: '1\n2\n3\n4\nmerged twice\n'});
    await stage.follow();
    expect(await stage.text('a')).toBe('mine\n2\n3\n4\nmerged twice\n');
    expect(await stage.git('status', '--porcelain', '--branch')).toBe('## main\n M a\n M c\n');
  });

  it('preserves what is staged in other files', async () => {
    const stage = await createStage();
    await stage.put('own', 'own\n');
    await stage.git('add', 'own');
    await stage.merge({a: 'merged\n'});
    await stage.merge({b: 'merged\n'});
    await stage.follow();
    expect(await stage.git('status', '--porcelain')).toBe('A  own\n');
  });

  it('is missing if staged changes could be an older state, and the files are named', async () => {
    const stage = await createStage();
    await stage.put('a', 'mine\n');
    await stage.git('add', 'a');
    await stage.merge({a: 'merged\n'});
    await stage.merge({b: 'merged\n'});
    const behind = await stage.behind();
    expect(behind).toMatch(/git restore --staged --worktree -- FILE.*`a`, `b`\)$/u);
    expect(behind).not.toContain('read-tree');
    await stage.git('restore', '--staged', '--worktree', '--', 'b');
    await stage.git(...who, 'commit', '--quiet', '--message', 'mine');
    expect(await stage.git('diff', '--name-only', 'HEAD~1')).toBe('a\n');
  });

  it('never stages an untracked file that differs from the merged one', async () => {
    const stage = await createStage();
    await stage.put('c', 'mine\n');
    await stage.put('equal', 'same\n');
    await stage.put('different', 'my notes\n');
    await stage.merge({equal: 'same\n', different: 'merged\n'});
    const behind = await stage.behind();
    expect(behind).toContain('before that, move away `different`');
    expect(behind).toContain('git update-index --add -- equal && git read-tree');
    await stage.git('stash', 'list');
    await expect(stage.follow()).rejects.toThrow('different');
    expect(await stage.text('different')).toBe('my notes\n');
    expect(await stage.git('diff', '--cached', '--name-only', '--diff-filter=M')).not.toContain('different');
  });
});
