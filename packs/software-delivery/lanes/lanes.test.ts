import {isToolError} from '@lumenflow/pack-sdk';
import {describe, expect, it} from 'vitest';
import {parse} from 'yaml';
import type {LaneView} from '../work-units/kernel-tasks.ts';
import {claimed, completed, created, given, later, stamp} from '../work-units/work-unit-events.fixture.ts';
import {laneBoard} from './lane-board.ts';
import {proposedLane} from './proposed-lane.ts';
import {judgeLaneHealth} from './lane-health.ts';
import {laneYaml} from './lane-yaml.ts';
import {suggestLanes} from './suggest-lanes.ts';
import {suggestNewLanes} from './suggest-new-lanes.ts';
import {validateLanes} from './validate-lanes.ts';

const lane = (id: string, ...paths: readonly string[]): LaneView => ({
  id,
  wip_limit: 1,
  allowed_scopes: [
    {type: 'path', pattern: '**', access: 'read'},
    ...paths.map((pattern) => ({type: 'path', pattern, access: 'write' as const})),
  ],
  in_progress: [],
});
const codeOf = (work: () => unknown): string => {
  try {
    work();
    return 'done';
  } catch (error) {
    return isToolError(error) ? error.code : String(error);
  }
};
const now = Date.parse(later(90).at);

describe('the board', () => {
  it('shows limit, slots, counts, work and locks of each lane', () => {
    const state = given(
      created(1),
      created(2),
      created(3, {lane: 'gone'}),
      claimed(1, 1),
      {type: 'lane_frozen', ...stamp, lane: 'core', reason: 'release'},
      {type: 'lane_lock_acquired', ...stamp, lane: 'core', token: 1, reason: 'move', expires_at: later(99).at},
    );
    expect(laneBoard([lane('core', '**'), {...lane('web'), title: 'Web'}], state, now)).toEqual([
      {
        id: 'core',
        wip_limit: 1,
        free_slots: 0,
        counts: {ready: 1, in_progress: 1, blocked: 0, done: 0},
        units: [
          {
            id: 'WU-1',
            title: 'Unit 1',
            status: 'in_progress',
            session_id: 's1',
            age_ms: 5_400_000,
            lease_expired: true,
          },
        ],
        locked_by: {session_id: 's1', reason: 'move', expires_at: later(99).at},
        frozen: 'release',
      },
      {
        id: 'web',
        title: 'Web',
        wip_limit: 1,
        free_slots: 1,
        counts: {ready: 0, in_progress: 0, blocked: 0, done: 0},
        units: [],
      },
    ]);
  });
});

describe('the health of lanes', () => {
  const findings = (state: ReturnType<typeof given>, minutes = 90): readonly string[] =>
    judgeLaneHealth([lane('core', '**')], state, Date.parse(later(minutes).at)).map(
      (each) => `${each.lane} ${each.code}`,
    );

  it.each([
    ['nothing', given(created(1)), 90, []],
    ['an expired lease', given(created(1), claimed(1, 1)), 60, ['core LEASE_EXPIRED']],
    [
      'work blocked for two days',
      given(
        created(1),
        claimed(1, 1, later(0)),
        {type: 'wu_renewed', ...stamp, id: 'WU-1', token: 1, expires_at: later(9999).at},
        {type: 'wu_blocked', ...stamp, id: 'WU-1', token: 1, reason: 'x'},
      ),
      2 * 24 * 60,
      ['core BLOCKED_LONG'],
    ],
    ['more than the limit', given(created(1), created(2), claimed(1, 1), claimed(2, 2)), 0, ['core OVER_LIMIT']],
    [
      'a long freeze',
      given({type: 'lane_frozen', ...stamp, lane: 'core', reason: 'x'}),
      7 * 24 * 60,
      ['core FROZEN_LONG'],
    ],
    [
      'work that all waits',
      given(
        created(1, {depends_on: ['WU-2']}),
        created(2, {lane: 'x'}),
        completed(2),
        created(3, {lane: 'core', depends_on: ['WU-1']}),
      ),
      0,
      [],
    ],
    [
      'a starved lane',
      given(created(1, {depends_on: ['WU-2']}), created(2, {lane: 'gone'})),
      0,
      ['core STARVED', 'gone LANE_GONE'],
    ],
    [
      'work on the same files',
      given(
        created(1, {code_paths: ['a/**']}),
        created(2, {code_paths: ['a/b'], lane: 'gone'}),
        claimed(1, 1),
        claimed(2, 2),
      ),
      0,
      ['core OVERLAP', 'gone LANE_GONE'],
    ],
  ])('finds %s', (_, state, minutes, expected) => {
    expect(findings(state, minutes)).toEqual(expected);
  });
});

describe('a suggestion', () => {
  const lanes = [lane('core', 'worktrees/*/src/**', '.git/**'), lane('docs', 'worktrees/*/docs/**'), lane('all', '**')];

  it('uses scopes, then history, then names', () => {
    const state = given(created(1, {lane: 'all', code_paths: ['docs/x.md']}));
    const suggestions = suggestLanes(lanes, Object.values(state.units), {
      code_paths: ['docs/*.md', 'web/a.ts'],
      text: 'about core',
    });
    expect(suggestions).toEqual([
      {lane: 'all', score: 0.3, reasons: ['1 of 1 work units on the same files were done in it']},
      {lane: 'docs', score: 0.3, reasons: ['its scopes reach 1 of 2 code paths']},
      {lane: 'core', score: 0.1, reasons: ['the text mentions it']},
    ]);
  });

  it('is empty if no lane matches', () => {
    expect(suggestLanes(lanes, [], {code_paths: ['infra/**'], text: ''})).toEqual([]);
  });

  it('of new lanes uses folders that no lane covers', () => {
    const units = [1, 2, 3].flatMap((each) => [
      created(each, {code_paths: [`packages/api/${each}.ts`, 'README.md', '**/*.md']}),
      created(each + 3, {code_paths: ['src/x.ts', 'infra/']}),
    ]);
    expect(
      suggestNewLanes(lanes, Object.values(given(...units).units)).map(({id, work_units}) => [id, work_units]),
    ).toEqual([
      ['infra', 3],
      ['packages-api', 3],
    ]);
  });
});

describe('a change of lanes', () => {
  const lanes = [{...lane('core', '**'), in_progress: ['WU-1', 'WU-2']}];

  it('is a valid entry for workspace.yaml', () => {
    const entry = proposedLane(
      lanes,
      {id: 'api', title: 'API', wip_limit: 3, code_paths: ['packages/api/']},
      undefined,
    );
    expect(parse(laneYaml([entry]))).toEqual({
      lanes: [
        {
          id: 'api',
          title: 'API',
          wip_limit: 3,
          allowed_scopes: [
            {type: 'path', pattern: '**', access: 'read'},
            {type: 'path', pattern: 'worktrees/*/packages/api/**', access: 'write'},
            {type: 'path', pattern: '.git/**', access: 'write'},
            {type: 'path', pattern: 'docs/tasks/**', access: 'write'},
          ],
        },
      ],
    });
    expect(validateLanes([{...entry, in_progress: []}], [], undefined)).toEqual([]);
  });

  it('keeps the unchanged fields of a lane', () => {
    const [core] = lanes;
    if (core === undefined) throw new Error('no lane');
    const {in_progress: _, ...entry} = core;
    expect(proposedLane(lanes, {id: 'core', title: 'Core', wip_limit: 2}, undefined)).toEqual({
      ...entry,
      title: 'Core',
      wip_limit: 2,
    });
    expect(codeOf(() => proposedLane(lanes, {id: 'core'}, undefined))).toBe('NOTHING_TO_CHANGE');
    expect(codeOf(() => proposedLane(lanes, {id: 'core', wip_limit: 1}, undefined))).toBe('OVER_LIMIT');
  });

  it.each([
    [{id: 'x', code_paths: ['../x']}, 'INVALID_CODE_PATH'],
    [{id: 'x', code_paths: ['{a']}, 'INVALID_GLOB'],
  ])('%j is rejected with %s', (words, code) => {
    expect(codeOf(() => proposedLane(lanes, words, undefined))).toBe(code);
  });
});

describe('the check of lanes', () => {
  it('is strict about lanes with open work', () => {
    const {units} = given(created(1), created(2, {lane: 'b'}), completed(2));
    const {wip_limit: _, ...bare} = lane('core');
    const problems = validateLanes([bare, {...lane('b'), allowed_scopes: []}], Object.values(units), undefined);
    expect(problems.map(({lane: id, code, severity}) => `${id} ${code} ${severity}`)).toEqual([
      'core NO_WORKTREES error',
      'core NO_GIT error',
      'core NO_SPECS warn',
      'core NO_WIP_LIMIT warn',
      'b NO_WORKTREES warn',
      'b NO_GIT warn',
      'b NO_SPECS warn',
      'b NO_READING warn',
    ]);
  });
});
