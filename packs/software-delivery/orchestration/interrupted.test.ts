// What remains if a nested call fails.
import type {ToolOutput} from '@lumenflow/schemas';
import {runTool} from '@lumenflow/pack-sdk/testing';
import {describe, expect, it} from 'vitest';
import {initiativePlan} from '../tools/initiative/plan.ts';
import {orchestrateRecover} from '../tools/orchestrate/recover.ts';
import {wuDelegate} from '../tools/wu/delegate.ts';

const stamp = {at: '2026-03-01T00:00:00.000Z', by: 'session-1'};
const spec = {id: 'WU-1', title: 'Title', lane: 'core', type: 'feature', priority: 'P2', code_paths: []};
const created = {type: 'wu_created', ...stamp, id: 'WU-1', spec, spec_hash: 'x'};
const claimed = {type: 'wu_claimed', ...stamp, id: 'WU-1', token: 7, expires_at: stamp.at, branch: 'b', worktree: 'w'};
const initiative = {
  type: 'initiative_created',
  ...stamp,
  initiative: 'INIT-1',
  title: 'Any',
  phases: [],
  success_metrics: [],
  status: 'active',
};
const logOf = (...events: readonly object[]): Record<string, string> => ({
  events: events.map((event) => `${JSON.stringify(event)}\n`).join(''),
});
const failed: ToolOutput = {success: false, error: {code: 'LANE_LOCKED', message: 'the lane is locked'}};

describe('initiative:plan', () => {
  const words = {
    title: 'A work unit',
    lane: 'core',
    type: 'feature',
    priority: 'P2',
    description: 'It is there so that something can be planned and interrupted.',
    acceptance: ['it is done'],
    code_paths: [],
  };
  const wus = [
    {key: 'a', ...words},
    {key: 'b', ...words, depends_on: ['a']},
  ];

  it('reports the work units that were created before the failure', async () => {
    const asked: unknown[] = [];
    const {output} = await runTool(
      initiativePlan,
      {id: 'INIT-1', wus},
      {
        state: logOf(initiative),
        callTool(_name, input) {
          asked.push(input);
          return asked.length === 1 ? {success: true, data: {id: 'WU-4'}} : failed;
        },
      },
    );
    expect(output.error).toMatchObject({
      code: 'PLAN_STOPPED',
      message: '`b` was not created: the lane is locked',
      details: {key: 'b', error: failed.error, created: {a: 'WU-4'}},
    });
    expect(asked).toMatchObject([
      {initiative: 'INIT-1', labels: ['plan:a']},
      {labels: ['plan:b'], depends_on: ['WU-4']},
    ]);
  });

  it('resumes after the existing work units', async () => {
    const first = {...created, spec: {...spec, initiative: 'INIT-1', labels: ['plan:a']}};
    const asked: unknown[] = [];
    const {output} = await runTool(
      initiativePlan,
      {id: 'INIT-1', wus},
      {
        state: logOf(initiative, first),
        callTool(_name, input) {
          asked.push(input);
          return {success: true, data: {id: 'WU-2'}};
        },
      },
    );
    expect(asked).toMatchObject([{labels: ['plan:b'], depends_on: ['WU-1']}]);
    expect(output.data?.wus).toEqual([
      {key: 'a', id: 'WU-1', created: false},
      {key: 'b', id: 'WU-2', created: true},
    ]);
  });
});

describe('orchestrate:recover', () => {
  /** `tasks`: the kernel's reply about them. */
  const recover = async (
    callTool: (name: string, input: unknown) => ToolOutput,
    input: object = {},
    tasks: readonly object[] = [],
  ) =>
    await runTool(
      orchestrateRecover,
      {wus: ['WU-1'], ...input},
      {
        state: logOf(created, claimed),
        callTool: (name, asked) =>
          name === 'kernel:list-tasks' ? {success: true, data: {tasks}} : callTool(name, asked),
      },
    );

  it('releases with the token of the expired lease', async () => {
    const asked: unknown[] = [];
    const {output} = await recover((name, input) => {
      asked.push([name, input]);
      return {success: true, data: {}};
    });
    expect(output.data?.wus).toMatchObject([{wu: 'WU-1', outcome: 'released'}]);
    expect(asked).toMatchObject([['wu:release', {id: 'WU-1', lease_token: 7}]]);
  });

  it('reports what could not be released, and changes nothing in a dry run', async () => {
    expect((await recover(() => failed)).output.data?.wus).toEqual([
      {wu: 'WU-1', outcome: 'failed', message: 'the lane is locked'},
    ]);
    const dry = await recover(() => failed, {dry_run: true});
    expect(dry.output.data?.wus).toMatchObject([{outcome: 'released'}]);
  });

  it('skips holders that are active, and those of unknown tasks', async () => {
    const run = {session_id: 'session-1'};
    const works = {task_id: 'WU-1', state: 'active', run, active_at: new Date().toISOString()};
    const {output} = await recover(() => failed, {}, [works]);
    expect(output.data?.wus).toEqual([{wu: 'WU-1', outcome: 'not_stuck', message: '`WU-1` is not stalled'}]);
    const blind = {state: logOf(created, claimed), callTool: () => failed};
    expect((await runTool(orchestrateRecover, {wus: ['WU-1']}, blind)).output.error).toMatchObject({
      code: 'LANE_LOCKED',
    });
  });

  it('rejects unknown work units', async () => {
    expect((await recover(() => failed, {wus: ['WU-2']})).output.error).toMatchObject({code: 'WU_NOT_FOUND'});
  });
});

describe('wu:delegate', () => {
  it('does not delegate without a brief, or finished work', async () => {
    const {output, state} = await runTool(
      wuDelegate,
      {id: 'WU-1', to: 'ada'},
      {state: logOf(created), callTool: () => failed},
    );
    expect(output.error).toEqual(failed.error);
    expect(state).toEqual(logOf(created));
    const done = {type: 'wu_completed', ...stamp, id: 'WU-1', token: 7};
    const late = await runTool(wuDelegate, {id: 'WU-1', to: 'ada'}, {state: logOf(created, claimed, done)});
    expect(late.output.error).toMatchObject({code: 'WU_DONE'});
  });
});
