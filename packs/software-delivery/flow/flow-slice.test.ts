import {describe, expect, it} from 'vitest';
import type {GatesRecorded} from '../gates/gate-event.ts';
import type {WuEvent} from '../work-units/wu-event.ts';
import type {WuSpec} from '../work-units/wu-spec.ts';
import {flowSlice, type Flow} from './flow-slice.ts';

const hour = (number: number): string => `2026-03-02T${String(number).padStart(2, '0')}:00:00.000Z`;
const stamp = (number: number) => ({at: hour(number), by: 'session-1', id: 'WU-1'});
const spec: WuSpec = {
  id: 'WU-1',
  title: 'A work unit',
  lane: 'core',
  type: 'bug',
  priority: 'P2',
  description: 'What it is for',
  acceptance: ['It works'],
  code_paths: [],
  depends_on: ['WU-7'],
};
const gates = (number: number, passed: boolean, task_id = 'WU-1'): GatesRecorded => ({
  type: 'gates_recorded',
  ...stamp(number),
  task_id,
  receipt_id: 'r',
  tree_hash: 't',
  config_hash: 'c',
  passed,
  duration_ms: 100 * number,
  gates: [],
});
const claimed = (number: number): WuEvent => ({
  type: 'wu_claimed',
  ...stamp(number),
  token: 1,
  expires_at: hour(23),
  branch: 'b',
  worktree: 'w',
});
const created: WuEvent = {type: 'wu_created', ...stamp(0), spec, spec_hash: 'x'};

const fold = (...events: readonly (WuEvent | GatesRecorded)[]): Flow =>
  events.reduce((state, event) => flowSlice.evolve(state, event), structuredClone(flowSlice.initial));

describe('the timeline of a work unit', () => {
  it('follows from its events', () => {
    const {timelines} = fold(
      created,
      claimed(1),
      {type: 'wu_renewed', ...stamp(2), token: 1, expires_at: hour(23)},
      {type: 'wu_blocked', ...stamp(3), token: 1, reason: 'waits'},
      {type: 'wu_unblocked', ...stamp(5), token: 1, expires_at: hour(23)},
      gates(6, true),
      {type: 'wu_completed', ...stamp(7), token: 1},
    );
    expect(timelines).toEqual({
      'WU-1': {
        lane: 'core',
        type: 'bug',
        created: Date.parse(hour(0)),
        claimed: Date.parse(hour(1)),
        blocked: [[Date.parse(hour(3)), Date.parse(hour(5))]],
        worked: 4 * 3_600_000,
        status: 'done',
        since: Date.parse(hour(7)),
      },
    });
  });

  it('is released and claimed again', () => {
    const {timelines} = fold(
      created,
      claimed(1),
      {type: 'wu_released', ...stamp(2), token: 1, reason: 'x'},
      claimed(4),
    );
    expect(timelines['WU-1']).toMatchObject({status: 'in_progress', reworked: true, claimed: Date.parse(hour(1))});
  });

  it('follows the latest spec, and is deleted with its work unit', () => {
    const {depends_on: _, ...free} = spec;
    const edited: WuEvent = {
      type: 'wu_edited',
      ...stamp(1),
      spec: {...free, lane: 'docs', fixes: 'WU-3', blocks: ['WU-4']},
      spec_hash: 'y',
    };
    const {timelines} = fold(created, edited);
    expect(timelines['WU-1']).toEqual({
      lane: 'docs',
      type: 'bug',
      fixes: 'WU-3',
      blocks: ['WU-4'],
      created: Date.parse(hour(0)),
      status: 'ready',
      since: Date.parse(hour(0)),
    });
    expect(fold(created, {type: 'wu_deleted', ...stamp(1), reason: 'x'}).timelines).toEqual({});
  });

  it('does not exist for work that was done before the log began', () => {
    expect(fold(created, {type: 'wu_completed', ...stamp(0), token: 0}).timelines).toEqual({});
  });
});

describe('gates', () => {
  it('are counted by day, for every task', () => {
    const flow = fold(created, gates(1, true), gates(2, false), gates(3, true, 'another-task'));
    expect(flow.gates).toEqual({'2026-03-02': {passed: 2, durations: [100, 200, 300]}});
    expect(flow.timelines['WU-1']).toMatchObject({passed: true, reworked: true});
  });

  it('ignore events of unknown units and of other domains', () => {
    const foreign = {type: 'mem_node_created', at: hour(1), by: 'x'} as unknown as WuEvent;
    expect(fold(claimed(1), foreign)).toEqual(flowSlice.initial);
  });
});
