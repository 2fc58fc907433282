// The person's own checkout of the main branch, after a work unit was merged.
import {describe, expect, it} from 'vitest';
import {wuDone} from '../tools/wu/done.ts';
import {createDoneStage} from './done-stage.fixture.ts';

const asked = {id: 'WU-1', lease_token: 1};

describe('wu:done', () => {
  it('brings a clean checkout of the main branch up to date, so that the next commit reverts nothing', async () => {
    const stage = await createDoneStage();
    await stage.work({'src/x': 'x', 'src/old ü.txt': null});
    await stage.workspace.put('untracked', 'x');
    const output = await wuDone.run(asked, stage.context());
    expect(output).toMatchObject({checkouts: [{path: '.', updated: true}]});
    expect(output).not.toHaveProperty('behind');
    expect(await stage.workspace.text('src/x')).toBe('x');
    expect(await stage.workspace.git('status', '--porcelain')).toBe('?? untracked\n');
  });

  it('leaves a checkout in which something is staged, or that an untracked file stands in the way of', async () => {
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
