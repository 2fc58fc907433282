import {describe, expect, it} from 'vitest';
import type {WorkUnit} from '../work-units/work-unit.ts';
import {workUnitSlice, type WorkUnits} from '../work-units/work-unit-slice.ts';
import {renderViews} from './render-views.ts';
import {viewSlice} from './view-slice.ts';

const unit = (
  id: string,
  changes: Partial<WorkUnit> & {readonly title?: string; readonly lane?: string} = {},
): WorkUnit => {
  const {title = `Title of ${id}`, lane = 'core', ...others} = changes;
  return {
    spec: {id, title, lane, type: 'feature', priority: 'P2', code_paths: ['src/**']},
    spec_hash: 'a',
    status: 'ready',
    created_at: `2026-01-0${id.at(-1)}T00:00:00.000Z`,
    since: `2026-02-0${id.at(-1)}T00:00:00.000Z`,
    ...others,
  };
};
const stateOf = (...units: readonly WorkUnit[]): WorkUnits => ({
  ...structuredClone(workUnitSlice.initial),
  units: Object.fromEntries(units.map((each) => [each.spec.id, each])),
});
const render = (state: WorkUnits, doneBefore?: string): readonly string[] =>
  renderViews(state, doneBefore === undefined ? viewSlice.initial : {done_before: doneBefore}).map(({text}) => text);

describe('backlog.md', () => {
  const state = stateOf(
    unit('WU-1', {status: 'done'}),
    unit('WU-2'),
    unit('WU-3', {spec: {...unit('WU-3').spec, priority: 'P0'}}),
    unit('WU-4', {status: 'blocked', blocked_reason: 'no | access\nyet'}),
    unit('WU-5', {status: 'in_progress', title: '<b>bold</b> | half', branch: 'lane/core/wu-5'}),
    unit('WU-6', {status: 'done'}),
  );

  it('lists open work by priority, then age, and finished work newest first', () => {
    const [backlog = ''] = render(state);
    expect(backlog.match(/(?<=^\| )WU-\d/gm)).toEqual(['WU-5', 'WU-4', 'WU-3', 'WU-2', 'WU-6', 'WU-1']);
    expect(backlog.match(/^## .*/gm)).toEqual(['## In progress (1)', '## Blocked (1)', '## Ready (2)', '## Done (2)']);
  });

  it('keeps titles and reasons within their cells', () => {
    const [backlog = ''] = render(state);
    expect(backlog).toContain('| WU-5 | &lt;b>bold&lt;/b> \\| half | core | P2 | 2026-02-05 |');
    expect(backlog).toContain('| no \\| access yet |');
  });

  it('omits pruned work and reports the number', () => {
    const [backlog = ''] = render(state, '2026-02-03T00:00:00.000Z');
    expect(backlog).not.toContain('WU-1');
    expect(backlog).toContain('WU-6');
    expect(backlog).toContain('1 done before 2026-02-03 are omitted.');
  });

  it('is rendered without work units, too', () => {
    const [backlog = '', status = ''] = render(stateOf());
    expect(backlog.match(/None\./g)).toHaveLength(4);
    expect(status).toContain('There are no work units.');
  });
});

describe('status.md', () => {
  it('counts by lane', () => {
    const [, status = ''] = render(
      stateOf(
        unit('WU-1', {status: 'done'}),
        unit('WU-2', {lane: 'ui'}),
        unit('WU-3', {status: 'in_progress', branch: 'b'}),
      ),
    );
    expect(status).toContain('| core | 1 | 0 | 0 | 1 |\n| ui | 0 | 0 | 1 | 0 |\n');
    expect(status).toContain('- WU-3 Title of WU-3, in lane core since 2026-02-03, on `b`\n');
    expect(status).toContain('- WU-1 Title of WU-1, 2026-02-01\n');
  });
});
