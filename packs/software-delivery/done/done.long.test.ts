import {existsSync} from 'node:fs';
import {mkdir, rm, rmdir} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {openDeliveryLog} from '../open-delivery-log.ts';
import {gatesResults} from '../tools/gates/results.ts';
import {wuDone} from '../tools/wu/done.ts';
import {wuPrep} from '../tools/wu/prep.ts';
import {wuPrune} from '../tools/wu/prune.ts';
import {wuRecover} from '../tools/wu/recover.ts';
import {wuVerify} from '../tools/wu/verify.ts';
import {workUnitSlice} from '../work-units/work-unit-slice.ts';
import {createDoneStage, type DoneStage} from './done-stage.fixture.ts';

const asked = {id: 'WU-1', lease_token: 1};

async function mainFile({workspace}: DoneStage, path: string): Promise<string> {
  return await workspace.git('show', `main:${path}`);
}

describe('wu:done', () => {
  it('fast-forwards, completes the task, cleans up, and does not touch a dirty checkout', async () => {
    const stage = await createDoneStage();
    const head = await stage.work({'a b.txt': 'two\n', 'src/new ä.txt': 'ä\r\n'});
    await stage.workspace.put('a b.txt', 'the person is at work here\n');
    await stage.workspace.put('untracked', 'x');
    const output = await wuDone.run(asked, stage.context());
    expect(output).toMatchObject({
      id: 'WU-1',
      main_branch: 'main',
      commit: head,
      stamp: {tree_hash: await stage.sha(`${head}^{tree}`), gates_receipt_id: 'rcp-gates'},
      cleaned: true,
      dry_run: false,
    });
    expect(await stage.sha('main')).toBe(head);
    expect(await mainFile(stage, 'src/new ä.txt')).toBe('ä\r\n');
    expect(await stage.workspace.text('a b.txt')).toBe('the person is at work here\n');
    expect(await stage.workspace.git('status', '--porcelain', '--', 'src')).toContain('D ');
    expect(existsSync(join(stage.workspace.root, 'worktrees/wu-1'))).toBe(false);
    expect(await stage.workspace.git('branch', '--list', 'lane/*')).toBe('');
    expect(stage.completions()).toBe(1);
    const {units} = await openDeliveryLog(stage.context()).read(workUnitSlice);
    expect(units['WU-1']).toMatchObject({status: 'done', commit: head});
  });

  it('reports how to update a checkout of the main branch', async () => {
    const stage = await createDoneStage();
    await stage.work({'src/x': 'x'});
    await stage.workspace.put('a b.txt', 'the person is at work here\n');
    const {checkouts, behind} = (await wuDone.run(asked, stage.context())) as {
      checkouts: readonly {path: string; update: string}[];
      behind: string;
    };
    expect(behind).toMatch(/^`main` has moved, [^]*\ngit read-tree -m -u [0-9a-f]{12} [0-9a-f]{12}$/u);
    expect(checkouts).toEqual([
      {
        path: '.',
        updated: false,
        reason: 'it has uncommitted changes',
        update: expect.stringMatching(/^git read-tree -m -u /),
      },
    ]);
    await stage.workspace.git(...(checkouts[0]?.update.split(' ').slice(1) ?? []));
    expect(await stage.workspace.git('status', '--porcelain')).toBe(' M "a b.txt"\n');
    expect(await stage.workspace.text('src/x')).toBe('x');
  });

  it('preserves line endings and LFS pointers as set by attributes', async () => {
    const stage = await createDoneStage();
    const attributes = '*.txt text eol=crlf\n*.bin filter=lfs diff=lfs merge=lfs -text\n';
    await stage.work({'.gitattributes': attributes, 'other.bin': 'version 2\r\n'}, '.');
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:00\r\n';
    await stage.work({'src/large.bin': pointer, 'src/lines.txt': 'a\n'});
    await wuDone.run(asked, stage.context());
    expect(await mainFile(stage, 'src/large.bin')).toBe(pointer);
    expect(await mainFile(stage, 'src/lines.txt')).toBe('a\n');
    expect(await mainFile(stage, 'other.bin')).toBe('version 2\r\n');
  });

  it('rebases on concurrent merges, preserves authors, and gates the result', async () => {
    const stage = await createDoneStage();
    const first = await stage.work({'a b.txt': 'two\n'});
    await stage.work({'src/old ü.txt': null, 'src/moved ü.txt': 'old\n'.repeat(20)});
    await stage.work({'docs/other.md': 'other\n', 'src/old ü.txt': `new\n${'old\n'.repeat(19)}`}, '.');
    const main = await stage.sha('main');
    const output = (await wuDone.run(asked, stage.context())) as {commit: string};
    expect(await stage.sha('main~2')).toBe(main);
    expect(await stage.sha('main')).toBe(output.commit);
    expect(await stage.workspace.git('log', '--format=%an %cn', '-2', 'main')).toBe('Bob Ada\nBob Ada\n');
    expect(await stage.workspace.git('show', '--format=%s', '--no-patch', 'main~1')).toBe('change a b.txt\n');
    // The rename moved the other author's change along.
    expect(await mainFile(stage, 'src/moved ü.txt')).toBe(`new\n${'old\n'.repeat(19)}`);
    expect(await mainFile(stage, 'docs/other.md')).toBe('other\n');
    expect(await stage.workspace.git('log', '--format=%H', 'main')).not.toContain(first);
  });

  it('reports a conflict with its paths and changes nothing; the work’s version can resolve it', async () => {
    const stage = await createDoneStage();
    await stage.work({'a b.txt': 'mine\n', 'src/x': 'x\n'});
    await stage.work({'a b.txt': 'theirs\n', other: 'other\n'}, '.');
    const main = await stage.sha('main');
    await expect(wuDone.run(asked, stage.context())).rejects.toMatchObject({
      code: 'MERGE_CONFLICT',
      details: {paths: ['a b.txt']},
    });
    expect(await wuPrep.run(asked, stage.context())).toMatchObject({conflicts: ['a b.txt'], ready: false});
    expect(await stage.sha('main')).toBe(main);
    expect(await stage.workspace.git('-C', 'worktrees/wu-1', 'status', '--porcelain')).toBe('');
    await stage.work({'a b.txt': 'theirs and mine\n'});
    await expect(wuDone.run({...asked, resolved: ['src/x']}, stage.context())).rejects.toMatchObject({
      code: 'MERGE_CONFLICT',
    });
    await wuDone.run({...asked, resolved: ['a b.txt']}, stage.context());
    expect(await mainFile(stage, 'a b.txt')).toBe('theirs and mine\n');
    expect(await mainFile(stage, 'other')).toBe('other\n');
    expect(await stage.sha('main^1')).toBe(main);
  });

  it('resolves a conflict with a file that the work deleted', async () => {
    const stage = await createDoneStage();
    await stage.work({'a b.txt': null});
    await stage.work({'a b.txt': 'theirs\n'}, '.');
    await expect(wuDone.run(asked, stage.context())).rejects.toMatchObject({code: 'MERGE_CONFLICT'});
    await wuDone.run({...asked, resolved: ['a b.txt']}, stage.context());
    expect(await stage.workspace.git('ls-tree', '--name-only', 'main')).not.toContain('a b.txt');
  });

  it('rejects work that must not be merged', async () => {
    const stage = await createDoneStage();
    const main = await stage.sha('main');
    const refuses = async (code: string, input = asked): Promise<void> =>
      await expect(wuDone.run(input, stage.context())).rejects.toMatchObject({code});
    await refuses('LEASE_STALE', {...asked, lease_token: 2});
    await refuses('WU_NOT_FOUND', {...asked, id: 'WU-2'});
    await refuses('NOTHING_TO_MERGE');
    await stage.workspace.put('worktrees/wu-1/src/late', 'x');
    await refuses('UNCOMMITTED_WORK');
    await stage.work({outside: 'x'});
    await refuses('OUTSIDE_CODE_PATHS');
    await stage.work({outside: null});
    await stage.workspace.git('-C', 'worktrees/wu-1', 'checkout', '--quiet', '--detach', 'main');
    await refuses('WRONG_BRANCH');
    await rm(join(stage.workspace.root, 'worktrees/wu-1'), {recursive: true});
    await refuses('NO_WORKTREE');
    expect(await stage.sha('main')).toBe(main);
    expect(stage.completions()).toBe(0);
  });

  it('does not merge work that fails the gates on top of the main branch', async () => {
    const stage = await createDoneStage();
    await stage.work({'src/x': 'x'});
    expect(await wuPrep.run(asked, stage.context())).toMatchObject({ready: true, gates: {passed: true}});
    await stage.work({broken: ''}, '.');
    const main = await stage.sha('main');
    await expect(wuDone.run(asked, stage.context())).rejects.toMatchObject({
      code: 'GATES_FAILED',
      message: expect.stringMatching(/`main`: `test`\ntest:\n11\n(?:\d+\n){18}30$/u),
      details: {failed: [{name: 'test'}]},
    });
    expect(await gatesResults.run({limit: 1}, stage.context())).toMatchObject({
      runs: [{passed: false, gates: [{name: 'test', output_tail: expect.stringMatching(/^11\n(?:\d+\n){18}30$/u)}]}],
    });
    expect(await stage.sha('main')).toBe(main);
  });

  it('retries if other merges are faster, up to a limit', async () => {
    const stage = await createDoneStage();
    await stage.work({'src/x': 'x'});
    let rivals = 1;
    const context = stage.context();
    const callTool: typeof context.callTool = async (name, input) => {
      const output = await context.callTool(name, input);
      if (name === 'gates' && rivals > 0) {
        rivals -= 1;
        await stage.work({[`other ${rivals}`]: 'x'}, '.');
      }
      return output;
    };
    rivals = 100;
    await expect(wuDone.run(asked, stage.context({callTool}))).rejects.toMatchObject({code: 'MAIN_CONTENDED'});
    rivals = 1;
    await wuDone.run(asked, stage.context({callTool}));
    expect(await mainFile(stage, 'other 0')).toBe('x');
    expect(await mainFile(stage, 'src/x')).toBe('x');
  });

  it('reports that another git process has locked the main branch', async () => {
    const stage = await createDoneStage();
    await stage.work({'src/x': 'x'});
    const lock = join(stage.workspace.root, '.git/refs/heads/main.lock');
    // No git process leaves such a file behind.
    await mkdir(lock);
    await expect(wuDone.run(asked, stage.context())).rejects.toMatchObject({
      code: 'BRANCH_LOCKED',
      details: {retryable: true, stderr: expect.stringContaining(lock) as unknown},
    });
    await rmdir(lock);
    const recover = {...asked, action: 'resume' as const};
    expect(await wuRecover.run({...recover, dry_run: true}, stage.context())).toMatchObject({
      stage: 'gated',
      outcome: 'unchanged',
    });
    expect(await wuRecover.run(recover, stage.context())).toMatchObject({stage: 'gated', outcome: 'done'});
    expect(await mainFile(stage, 'src/x')).toBe('x');
    await expect(wuRecover.run(recover, stage.context())).rejects.toMatchObject({code: 'NOTHING_TO_RECOVER'});
  });

  it('resumes after the merge if the kernel rejects the completion at first', async () => {
    const stage = await createDoneStage();
    const head = await stage.work({'src/x': 'x'});
    stage.refuseCompletion('APPROVAL_REQUIRED');
    await expect(wuDone.run(asked, stage.context())).rejects.toMatchObject({code: 'APPROVAL_REQUIRED'});
    expect(await wuVerify.run({}, stage.context())).toMatchObject({
      subject: 'merged',
      commit: head,
      gates: [{name: 'test', state: 'passed'}],
    });
    expect(await wuDone.run(asked, stage.context())).toMatchObject({commit: head, cleaned: true});
    expect(stage.completions()).toBe(1);
  });

  it('leaves the cleanup to another call if this one cannot write the worktree', async () => {
    const stage = await createDoneStage();
    await stage.work({'src/x': 'x'});
    const {callTool, ...context} = stage.context();
    const inTask: typeof callTool = async (name, input) =>
      name === 'wu:remove-worktree'
        ? {success: false, error: {code: 'SCOPE_DENIED', message: 'not here'}}
        : await callTool(name, input);
    expect(await wuDone.run(asked, {...context, callTool: inTask})).toMatchObject({
      cleaned: false,
      left: '`worktrees/wu-1` is left: not here. Run `lumenflow doctor --fix` to remove it',
    });
    expect(existsSync(join(stage.workspace.root, 'worktrees/wu-1/src/x'))).toBe(true);
    expect(await wuPrune.run({dry_run: true}, stage.context())).toMatchObject({removed: ['worktrees/wu-1'], kept: []});
    await stage.workspace.put('worktrees/wu-1/late', 'x');
    expect(await wuPrune.run({}, stage.context())).toMatchObject({
      removed: [],
      kept: [{path: 'worktrees/wu-1', reason: expect.stringContaining('uncommitted')}],
    });
    await rm(join(stage.workspace.root, 'worktrees/wu-1/late'));
    expect(await wuPrune.run({}, stage.context())).toMatchObject({removed: ['worktrees/wu-1'], kept: []});
    expect(existsSync(join(stage.workspace.root, 'worktrees/wu-1'))).toBe(false);
  });

  it('cleans up nothing while the work unit is in progress', async () => {
    const stage = await createDoneStage();
    expect(await wuPrune.run({}, stage.context())).toMatchObject({
      removed: [],
      kept: [{path: 'worktrees/wu-1', reason: '`WU-1` is in_progress'}],
    });
    await rm(join(stage.workspace.root, 'worktrees/wu-1'), {recursive: true});
    expect(await wuPrune.run({}, stage.context())).toMatchObject({removed: ['worktrees/wu-1']});
    expect(await stage.workspace.git('worktree', 'list', '--porcelain')).not.toContain('wu-1');
  });

  it('reports what it would do', async () => {
    const stage = await createDoneStage();
    const head = await stage.work({'src/x': 'x'});
    expect(await wuDone.run({...asked, dry_run: true}, stage.context())).toEqual({
      id: 'WU-1',
      main_branch: 'main',
      commit: head,
      cleaned: false,
      dry_run: true,
    });
    expect(await stage.sha('main')).not.toBe(head);
  });
});
