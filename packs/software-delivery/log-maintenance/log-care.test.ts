import {ToolError} from '@lumenflow/pack-sdk';
import {describe, expect, it} from 'vitest';
import type {Slice} from '../events/slice.ts';
import {writeSnapshot} from '../events/snapshot.ts';
import {initiativeSlice} from '../initiatives/initiative-slice.ts';
import {createMemoryState, type MemoryState} from '../memory-state.fixture.ts';
import {workUnitSlice, type WorkUnits} from '../work-units/work-unit-slice.ts';
import type {WuSpec} from '../work-units/wu-spec.ts';
import {checkLog} from './check-log.ts';
import {checkSnapshots} from './check-snapshots.ts';
import {checkMemberships, checkWorkUnits, findUnrecorded} from './check-work-units.ts';
import {planBootstrap} from './plan-bootstrap.ts';
import {readWholeLog, type WholeLog} from './read-whole-log.ts';

const at = (minute: number): string => new Date(Date.UTC(2026, 2, 1, 0, minute)).toISOString();
const counted = (minute: number, count: number): string =>
  JSON.stringify({type: 'counted', at: at(minute), by: 'ü', count});

const totals: Slice<{total: number}, never> = {
  name: 'totals',
  version: 2,
  initial: {total: 0},
  evolve: (state, event: {readonly count: number}) => ({total: state.total + event.count}),
};

async function logOf(...lines: readonly string[]): Promise<{readonly memory: MemoryState; readonly whole: WholeLog}> {
  const memory = createMemoryState();
  memory.texts.set('events', lines.map((line) => `${line}\n`).join(''));
  return {memory, whole: await readWholeLog(memory)};
}

describe('the whole log', () => {
  it('is read with the position of each event and each damaged line', async () => {
    const lines = [counted(0, 1), 'half', counted(1, 2), '{"type":"x"}'];
    const {whole} = await logOf(...lines);
    expect(whole.events.map(({line, end}) => [line, end])).toEqual([
      [1, Buffer.byteLength(lines.slice(0, 1).join('\n')) + 1],
      [3, Buffer.byteLength(lines.slice(0, 3).join('\n')) + 1],
    ]);
    expect(whole.damaged).toEqual([2, 4]);
    expect(checkLog(whole).map(({code, subject}) => [code, subject])).toEqual([
      ['LOG_LINE_DAMAGED', 'line 2'],
      ['LOG_LINE_DAMAGED', 'line 4'],
    ]);
  });

  it('may go back in time within the clock tolerance', async () => {
    const {whole} = await logOf(counted(5, 1), counted(4, 1), counted(2, 1));
    expect(checkLog(whole)).toMatchObject([
      {
        code: 'LOG_TIME_BACKWARDS',
        severity: 'warning',
        subject: 'line 3',
        message: expect.stringContaining('180 seconds'),
      },
    ]);
  });
});

describe('a snapshot', () => {
  const check = async (offset: (whole: WholeLog) => number, total: number, slice = totals) => {
    const {memory, whole} = await logOf(counted(0, 1), counted(1, 2), counted(2, 4));
    await writeSnapshot(memory.state('snapshots/totals'), slice, {offset: offset(whole), state: {total}});
    return (await checkSnapshots(memory, [totals], whole)).map(({code}) => code);
  };
  const second = ({events}: WholeLog): number => events[1]?.end ?? 0;

  it('equals the log up to its offset', async () => {
    expect(await check(({size}) => size, 7)).toEqual([]);
    expect(await check(second, 3)).toEqual([]);
    expect(await check(second, 7)).toEqual(['SNAPSHOT_WRONG']);
  });

  it('is not valid for a longer log or another version', async () => {
    expect(await check(({size}) => size + 1, 7)).toEqual(['SNAPSHOT_WRONG']);
    expect(await check(({size}) => size, 7, {...totals, version: 1})).toEqual(['SNAPSHOT_UNREADABLE']);
  });

  it('may be missing, and is not reported as unknown', async () => {
    const {memory, whole} = await logOf(counted(0, 1));
    expect(await checkSnapshots(memory, [totals], whole)).toEqual([]);
    memory.texts.set('snapshots/old', '{}');
    expect(await checkSnapshots(memory, [totals], whole)).toMatchObject([
      {code: 'STATE_UNKNOWN', subject: 'snapshots/old'},
    ]);
  });
});

const spec = (id: string, words: Partial<WuSpec> = {}): WuSpec => ({
  id,
  title: `Title of ${id}`,
  lane: 'core',
  type: 'feature',
  priority: 'P2',
  description: 'What it is for',
  acceptance: ['It works'],
  code_paths: [],
  ...words,
});
const stamp = {at: at(0), by: 'session-1'};
const found = (...specs: readonly WuSpec[]) => specs.map((each) => ({spec: each, hash: `hash of ${each.id}`}));

describe('bootstrapping', () => {
  const plan = (state: WorkUnits, specs: readonly WuSpec[], done: readonly string[] = []) =>
    planBootstrap(state, found(...specs), {done: new Set(done), stamp});
  const fold = (state: WorkUnits, specs: readonly WuSpec[], done: readonly string[] = []): WorkUnits =>
    plan(state, specs, done).reduce((folded, event) => workUnitSlice.evolve(folded, event), structuredClone(state));

  it('records unrecorded specs, in any order of dependencies', () => {
    const first = fold(workUnitSlice.initial, [spec('WU-2', {depends_on: ['WU-7']}), spec('WU-7')], ['WU-7']);
    expect(first.units).toMatchObject({
      'WU-2': {status: 'ready', spec_hash: 'hash of WU-2'},
      'WU-7': {status: 'done'},
    });
    expect(first.next_number).toBe(8);
    expect(plan(first, [spec('WU-2'), spec('WU-7')])).toEqual([]);
    expect(fold(first, [spec('WU-9', {depends_on: ['WU-7'], blocks: ['WU-2']})]).units).toHaveProperty('WU-9');
  });

  it.each([
    ['DEPENDENCY_UNKNOWN', [spec('WU-1', {depends_on: ['WU-8']})]],
    ['DEPENDENCY_UNKNOWN', [spec('WU-1', {blocks: ['WU-8']})]],
    ['DEPENDENCY_CYCLE', [spec('WU-1', {depends_on: ['WU-2']}), spec('WU-2', {depends_on: ['WU-1']})]],
  ])('fails with %s', (code, specs) => {
    expect(() => plan(workUnitSlice.initial, specs)).toThrow(expect.objectContaining({code}));
  });
});

describe('work units', () => {
  const units = planBootstrap(workUnitSlice.initial, found(spec('WU-1'), spec('WU-2'), spec('WU-3')), {
    done: new Set(['WU-3']),
    stamp,
  }).reduce((state, event) => workUnitSlice.evolve(state, event), structuredClone(workUnitSlice.initial));

  it('are compared with the kernel and the files', async () => {
    const task = (task_id: string, state: string) => ({
      task_id,
      lane_id: 'core',
      state,
      spec_hash: 'x',
      created_at: at(0),
    });
    // WU-1 was edited by hand, and WU-2 is missing.
    const context = {
      config: undefined,
      signal: new AbortController().signal,
      workspace_root: '/no-repository',
      exec: async () => ({stdout: '', stderr: '', exit_code: 128, truncated: false, timed_out: false}),
      callTool: async () => ({success: true, data: {tasks: [task('WU-1', 'ready')], total: 1}}) as const,
      fs: {
        readText: async (path: string) => {
          if (path.endsWith('WU-2.yaml')) throw new ToolError('NOT_FOUND', path);
          return path;
        },
        stat: async () => ({kind: 'directory', size: 0, mtime_ms: 0}) as const,
        list: async () =>
          ['WU-1.yaml', 'WU-9.yaml', 'WU-3.yaml', 'notes.md'].map((name) => ({name, kind: 'file'}) as const),
      },
    };
    const findings = await checkWorkUnits(context as never, units);
    expect(findings.map(({code, subject}) => [code, subject])).toEqual([
      ['WU_DISAGREES', 'WU-1'],
      ['WU_DISAGREES', 'WU-2'],
      ['WU_DISAGREES', 'WU-2'],
    ]);
    expect(await findUnrecorded(context as never, units)).toMatchObject([
      {area: 'specs', subject: 'WU-9', fix: expect.stringContaining('`--done WU-9`')},
    ]);
  });

  it('name only existing initiatives', () => {
    const named = {
      type: 'wu_created',
      ...stamp,
      id: 'WU-1',
      spec: spec('WU-1', {initiative: 'INIT-4'}),
      spec_hash: 'x',
    } as const;
    const state = initiativeSlice.evolve(structuredClone(initiativeSlice.initial), named);
    expect(checkMemberships(state)).toMatchObject([
      {code: 'INITIATIVE_UNKNOWN', subject: 'WU-1', message: expect.stringContaining('`INIT-4`')},
    ]);
    const words = {title: 'Any', phases: [], success_metrics: [], status: 'active'} as const;
    const known = initiativeSlice.evolve(state, {type: 'initiative_created', ...stamp, initiative: 'INIT-4', ...words});
    expect(checkMemberships(known)).toEqual([]);
  });
});
