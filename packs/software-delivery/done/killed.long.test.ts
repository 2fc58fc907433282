// `wu:done` is killed before each externally visible step. Calling it again finishes exactly once; rolling it back leaves nothing
// merged.
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {isToolError, type ToolContext} from '@lumenflow/pack-sdk';
import {describe, expect, it} from 'vitest';
import type {PackConfig} from '../pack-config.ts';
import {wuDone} from '../tools/wu/done.ts';
import {wuRecover} from '../tools/wu/recover.ts';
import {createDoneStage, type DoneStage} from './done-stage.fixture.ts';

const asked = {id: 'WU-1', lease_token: 1};

interface Mortal {
  readonly context: ToolContext<PackConfig>;
  /** Number of externally visible steps. */
  readonly deeds: () => number;
}

/** A context whose process dies before a step, counted from 1. From then on its requests have no effect. */
function mortal(stage: DoneStage, death: number): Mortal {
  const {exec, state, fs, callTool: _callTool, ...rest} = stage.context();
  let deeds = 0;
  const isDead = (): boolean => deeds >= death;
  const deed = async <T>(act: () => Promise<T>): Promise<T> => {
    deeds += 1;
    if (isDead()) throw new Error('killed');
    return await act();
  };
  const context: ToolContext<PackConfig> = {
    ...rest,
    exec: (command, args, options) => {
      const run = () => exec(command, args, options);
      return args.includes('update-ref') || isDead() ? deed(run) : run();
    },
    state(name) {
      const {append, ...text} = state(name);
      return {...text, append: (lines, options) => deed(() => append(lines, options))};
    },
    fs: {...fs, remove: (path) => deed(() => fs.remove(path))},
    callTool: (name, input) => deed(async () => await stage.answer(name, input, context)),
  };
  return {context, deeds: () => deeds};
}

async function rivalled(): Promise<{readonly stage: DoneStage; readonly theirs: string}> {
  const stage = await createDoneStage();
  await stage.work({'src/x': 'x'});
  return {stage, theirs: await stage.work({other: 'other\n'}, '.')};
}

async function expectDoneOnce(stage: DoneStage, theirs: string): Promise<void> {
  expect(await stage.workspace.git('rev-list', '--count', `${theirs}..main`)).toBe('1\n');
  expect(await stage.workspace.git('show', 'main:src/x')).toBe('x');
  expect(stage.completions()).toBe(1);
  expect(existsSync(join(stage.workspace.root, 'worktrees/wu-1'))).toBe(false);
  expect(await stage.workspace.git('worktree', 'list', '--porcelain')).not.toContain('wu-1');
  expect(await stage.workspace.git('for-each-ref', 'refs/heads/lane')).toBe('');
  expect(await stage.workspace.text('other')).toBe('other\n');
}

async function countDeeds(): Promise<number> {
  const {stage, theirs} = await rivalled();
  const {context, deeds} = mortal(stage, Number.POSITIVE_INFINITY);
  await wuDone.run(asked, context);
  await expectDoneOnce(stage, theirs);
  return deeds();
}

async function killedAt(death: number): Promise<{readonly stage: DoneStage; readonly theirs: string}> {
  const rivals = await rivalled();
  await expect(wuDone.run(asked, mortal(rivals.stage, death).context), `deed ${death}`).rejects.toThrow('killed');
  return rivals;
}

const codeOf = async (work: unknown): Promise<string> =>
  await Promise.resolve(work).then(
    () => 'success',
    (error: unknown) => (isToolError(error) ? error.code : String(error)),
  );

describe('wu:done after a crash', {timeout: 300_000}, () => {
  it('finishes exactly once when called again', async () => {
    const deeds = await countDeeds();
    expect(deeds).toBeGreaterThan(12);
    for (let death = 1; death <= deeds; death += 1) {
      const {stage, theirs} = await killedAt(death);
      expect(await codeOf(wuDone.run(asked, stage.context())), `deed ${death}`).toBe('success');
      await expectDoneOnce(stage, theirs);
      expect(await codeOf(wuDone.run(asked, stage.context())), `deed ${death}`).toBe('WU_DONE');
    }
  });

  it('finishes if git was killed as well, while it moved or removed a branch', async () => {
    const {stage, theirs} = await rivalled();
    for (const ref of ['HEAD', 'refs/heads/main', 'refs/heads/lane/core/wu-1', 'packed-refs']) {
      await stage.workspace.put(`.git/${ref}.lock`, '');
    }
    expect(await codeOf(wuDone.run(asked, stage.context()))).toBe('success');
    await expectDoneOnce(stage, theirs);
  });

  it('can be rolled back only while nothing is merged', async () => {
    const outcomes: string[] = [];
    while (outcomes.at(-1) !== 'ALREADY_MERGED') {
      const {stage, theirs} = await killedAt(outcomes.length + 1);
      const code = await codeOf(wuRecover.run({...asked, action: 'roll_back'}, stage.context()));
      outcomes.push(code);
      expect((await stage.sha('main')) === theirs, `deed ${outcomes.length}`).toBe(code !== 'ALREADY_MERGED');
      if (code === 'success') expect(await codeOf(wuDone.run(asked, stage.context()))).toBe('success');
    }
    expect(new Set(outcomes)).toEqual(new Set(['NOTHING_TO_RECOVER', 'success', 'ALREADY_MERGED']));
  });
});
