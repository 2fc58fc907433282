import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {byteLength} from '../markdown/fit-markdown.ts';
import {createTestWorkspace} from '../test-workspace.fixture.ts';
import type {WorkUnit} from '../work-units/work-unit.ts';
import {readGitProgress, type GitProgress} from './git-progress.ts';
import {makeNode, viewOf} from './memory-node.fixture.ts';
import {readAcceptance} from './read-acceptance.ts';
import {contextBytesMax, renderContext} from './render-context.ts';
import {recoveryBytesMax, renderRecovery} from './render-recovery.ts';

const unit: WorkUnit = {
  spec: {id: 'WU-1', title: 'Keep the mark', lane: 'core', type: 'bug', priority: 'P1', code_paths: ['src/**']},
  spec_hash: 'a',
  status: 'blocked',
  created_at: '2026-01-01T00:00:00.000Z',
  since: '2026-01-02T00:00:00.000Z',
  blocked_reason: 'no access',
};
const nothing = {view: viewOf([]), inbox: []};

describe('the recovery page', () => {
  it('also reports what is missing', () => {
    const page = renderRecovery(
      {...nothing, unit, acceptance: ['It holds'], progress: 'no repository'},
      recoveryBytesMax,
    );
    expect(page).toContain('- blocked since 2026-01-02T00:00:00.000Z: no access');
    expect(page).toContain('## Last checkpoint\n\n- None.');
    expect(page).toContain('## Changes\n\nGit cannot report them: no repository\n');
  });

  it('shows the last checkpoint of this WU, not of another', () => {
    const of = (wuId: string, content: string) =>
      makeNode({type: 'checkpoint', wu_id: wuId, content, metadata: {next_steps: ['go on']}});
    const view = viewOf([of('WU-1', 'first'), of('WU-1', 'second'), of('WU-2', 'third')]);
    const progress: GitProgress = {branch: 'b', head: 'abc', diff_stat: '', untracked: []};
    const page = renderRecovery({view, inbox: [], unit, acceptance: [], progress}, recoveryBytesMax);
    expect(page).toContain('second\n\n## Next steps\n\n- go on\n');
    expect(page).not.toMatch(/first|third/);
    expect(page).toContain('## Changes on b at abc\n\n- nothing tracked has changed\n');
  });

  it('and the context page never exceed their size limits', () => {
    const text = fc.string({unit: 'grapheme', maxLength: 3000});
    const node = fc.record({
      content: text,
      type: fc.constantFrom('discovery', 'checkpoint', 'note', 'summary'),
      wu_id: fc.constant('WU-1'),
    });
    fc.assert(
      fc.property(fc.array(node, {maxLength: 30}), fc.array(text, {maxLength: 20}), text, (nodes, texts, diff) => {
        const view = viewOf(nodes.map((changes) => makeNode(changes)));
        const progress: GitProgress = {branch: 'b', head: 'h', diff_stat: diff, untracked: texts};
        const page = renderRecovery({view, inbox: [], unit, acceptance: texts, progress}, recoveryBytesMax);
        expect(byteLength(page)).toBeLessThanOrEqual(8192);
        expect(byteLength(renderContext({view, inbox: [], unit}, contextBytesMax))).toBeLessThanOrEqual(4096);
      }),
      {numRuns: 30},
    );
  });

  it('exists for a session before anything is stored', () => {
    expect(renderContext({...nothing, unit: undefined}, contextBytesMax)).toBe(
      '# Memory of the project\n\nNothing is stored yet.\n',
    );
  });
});

describe('git progress', () => {
  it('covers the worktree since its branch started, or else the workspace', async () => {
    const workspace = await createTestWorkspace();
    const context = workspace.context(undefined);
    expect(await readGitProgress(context, undefined)).toContain('git');
    await workspace.git('init', '--quiet', '--initial-branch=main');
    await workspace.put('a.txt', 'a\n');
    await workspace.git('add', 'a.txt');
    await workspace.git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '--message=a');
    const base = (await workspace.git('rev-parse', 'HEAD')).trim();
    await workspace.git('worktree', 'add', '--quiet', '-b', 'lane/core/wu-1', 'worktrees/wu-1');
    await workspace.put('worktrees/wu-1/a.txt', 'a\nb\n');
    await workspace.git(
      '-C',
      'worktrees/wu-1',
      '-c',
      'user.name=a',
      '-c',
      'user.email=a@b',
      'commit',
      '--quiet',
      '--all',
      '--message=b',
    );
    await workspace.put('worktrees/wu-1/a.txt', 'a\nb\nc\n');
    await workspace.put('worktrees/wu-1/new ü.txt', '');
    expect(await readGitProgress(context, {worktree: 'worktrees/wu-1', base})).toMatchObject({
      branch: 'lane/core/wu-1',
      diff_stat: expect.stringContaining('1 file changed, 2 insertions(+)'),
      untracked: ['new ü.txt'],
    });
    expect(await readGitProgress(context, {worktree: 'worktrees/gone', base})).toMatchObject({
      branch: 'main',
      diff_stat: '',
    });
    await workspace.git('checkout', '--quiet', '--detach');
    expect(await readGitProgress(context, undefined)).toMatchObject({branch: 'detached'});
  });
});

describe('the acceptance of a WU', () => {
  it('comes from its spec, or is the reason why it cannot be read', async () => {
    const workspace = await createTestWorkspace();
    const context = workspace.context(undefined);
    expect(await readAcceptance(context, 'WU-1')).toEqual([expect.stringContaining('docs/tasks/WU-1.yaml')]);
    await workspace.put('docs/tasks/WU-1.yaml', 'id: [');
    expect((await readAcceptance(context, 'WU-1'))[0]).toContain('not a valid spec');
  });
});
