// The person's own checkout of the main branch, after a work unit was merged.
import {execFileSync} from 'node:child_process';
import {describe, expect, it} from 'vitest';
import {wuDone} from '../tools/wu/done.ts';
import {createDoneStage} from './done-stage.fixture.ts';

const asked = {id: 'WU-1', lease_token: 1};

describe('wu:done', () => {
  it('updates a clean checkout of the main branch, so that the next commit reverts nothing', async () => {
    const stage = await createDoneStage();
    await stage.work({'src/x': 'x', 'src/old ü.txt': null});
    await stage.workspace.put('untracked', 'x');
    const output = await wuDone.run(asked, stage.context());
    expect(output).toMatchObject({checkouts: [{path: '.', updated: true}]});
    expect(output).not.toHaveProperty('behind');
    expect(await stage.workspace.text('src/x')).toBe('x');
    expect(await stage.workspace.git('status', '--porcelain')).toBe('?? untracked\n');
  });

  it('accepts untracked files that equal the merged ones, such as the spec', async () => {
    const stage = await createDoneStage();
    await stage.work({'src/the spec.yaml': 'id: WU-1\n', 'src/x': 'x'});
    await stage.workspace.put('src/the spec.yaml', 'id: WU-1\n');
    expect(await wuDone.run(asked, stage.context())).toMatchObject({checkouts: [{path: '.', updated: true}]});
    expect(await stage.workspace.git('status', '--porcelain')).toBe('');
  });

  it('returns a command that works with such files, and fails at a different one', async () => {
    const stage = await createDoneStage();
    await stage.work({"src/it's.md": 'new\n', 'src/x': 'x'});
    await stage.workspace.put("src/it's.md", 'new\n');
    await stage.workspace.put('a b.txt', 'the person is at work here\n');
    const {behind} = (await wuDone.run(asked, stage.context())) as {behind: string};
    const command = behind.split('\n').slice(1).join('\n');
    const run = (): void => void execFileSync('sh', ['-euc', command], {cwd: stage.workspace.root, stdio: 'pipe'});
    await stage.workspace.put("src/it's.md", 'by hand\n');
    expect(run).toThrow("src/it's.md");
    expect(await stage.workspace.text("src/it's.md")).toBe('by hand\n');
    await stage.workspace.put("src/it's.md", 'new\n');
    run();
    expect(await stage.workspace.git('status', '--porcelain')).toBe(' M "a b.txt"\n');
  });

  it('does not update a checkout with staged changes or a conflicting untracked file', async () => {
    const stage = await createDoneStage();
    await stage.work({'src/x': 'x'});
    await stage.workspace.put('src/x', 'not yet tracked');
    expect(await wuDone.run(asked, stage.context())).toMatchObject({
      checkouts: [{updated: false, reason: expect.stringContaining('src/x')}],
      behind: expect.any(String),
    });
    expect(await stage.workspace.text('src/x')).toBe('not yet tracked');
  });
});
