import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {measureDora} from './measure-dora.ts';
import {measureFlow} from './measure-flow.ts';
import {percentilesOf} from './percentiles.ts';
import {claim, moveTo, runGates, type Timeline} from './timeline.ts';
import {chooseWindow, dayMs} from './window.ts';

const start = Date.parse('2026-03-02T00:00:00Z');
const hour = 3_600_000;
const at = (hours: number): number => start + hours * hour;
const made = (hours: number, words: Partial<Timeline> = {}): Timeline => ({
  lane: 'core',
  type: 'feature',
  created: at(hours),
  status: 'ready',
  since: at(hours),
  ...words,
});

/** Created at 0, claimed at 2, blocked from 4 to 7, done at 10. */
const finished = moveTo(claimAgain(moveTo(claim(made(0), at(2)), 'blocked', at(4)), at(7)), 'done', at(10));

/** Unblocking does not count as a claim. */
function claimAgain(timeline: Timeline, when: number): Timeline {
  return moveTo(timeline, 'in_progress', when);
}

const march = {since: '2026-03-01', until: '2026-03-31', days: 31};

describe('the figures of flow', () => {
  it('follow from the events', () => {
    const waiting = claim(made(1), at(3));
    const stuck = moveTo(claim(made(1, {lane: 'docs'}), at(2)), 'blocked', at(8));
    const facts = {
      wus: [
        ['WU-1', finished],
        ['WU-2', waiting],
        ['WU-3', stuck],
      ] as const,
      gates: {'2026-03-02': {passed: 2, durations: [30, 10, 20]}, '2026-02-28': {passed: 0, durations: [99]}},
    };
    expect(measureFlow(facts, march, at(12))).toEqual({
      throughput: {created: 3, done: 1, done_per_week: 0.23},
      lead_time_hours: {count: 1, p50: 10, p85: 10, p95: 10},
      cycle_time_hours: {count: 1, p50: 8, p85: 8, p95: 8},
      wip: {
        in_progress: 1,
        blocked: 1,
        age_hours: {count: 2, p50: 9, p85: 10, p95: 10},
        oldest: [
          {wu: 'WU-3', lane: 'docs', age_hours: 10},
          {wu: 'WU-2', lane: 'core', age_hours: 9},
        ],
      },
      blocked_time: {hours: 7, wus: 2},
      flow_efficiency: 0.5,
      gates: {runs: 3, pass_rate: 0.6667, duration_ms: {count: 3, p50: 20, p85: 30, p95: 30}},
      rework: {wus: 0, rate: 0},
    });
  });

  it('are null if there is nothing to measure, and ignore events outside the window', () => {
    const april = {since: '2026-04-01', until: '2026-04-02', days: 2};
    expect(measureFlow({wus: [['WU-1', finished]], gates: {}}, april, at(12))).toMatchObject({
      throughput: {created: 0, done: 0, done_per_week: 0},
      lead_time_hours: {count: 0, p50: null, p85: null, p95: null},
      blocked_time: {hours: 0, wus: 0},
      flow_efficiency: null,
      gates: {runs: 0, pass_rate: null},
      rework: {wus: 0, rate: null},
    });
  });

  it('count a second claim and a failure after a pass as rework, but not a first failure or unblocking', () => {
    const released = moveTo(claim(made(0), at(1)), 'ready', at(2));
    expect(claim(released, at(3))).toMatchObject({reworked: true, claimed: at(1)});
    expect(runGates(runGates(made(0), true), false)).toMatchObject({reworked: true});
    expect(runGates(runGates(made(0), false), true).reworked).toBeUndefined();
    expect(finished.reworked).toBeUndefined();
  });
});

describe('the figures of DORA', () => {
  it('include their formulas', () => {
    const repair = moveTo(claim(made(20, {type: 'bug', fixes: 'WU-1'}), at(21)), 'done', at(26));
    const wus = [
      ['WU-1', finished],
      ['WU-2', repair],
    ] as const;
    expect(measureDora(wus, wus, march)).toEqual({
      deployment_frequency: {
        value: 0.0645,
        unit: 'per day',
        count: 2,
        formula: expect.stringContaining('/ days') as string,
      },
      lead_time_for_changes: {value: 5, unit: 'hours', count: 2, formula: expect.stringContaining('median') as string},
      change_failure_rate: {value: 0.5, unit: 'ratio', count: 2, formula: expect.stringContaining('fixes') as string},
      time_to_restore: {value: 6, unit: 'hours', count: 1, formula: expect.stringContaining('fix') as string},
    });
    expect(measureDora([], [], march).change_failure_rate).toMatchObject({value: null, count: 0});
  });

  it('find a fix in another lane', () => {
    const repair = made(20, {lane: 'ops', fixes: 'WU-1'});
    const all = [
      ['WU-1', finished],
      ['WU-2', repair],
    ] as const;
    expect(measureDora([all[0]], all, march).change_failure_rate.value).toBe(1);
  });
});

describe('percentilesOf', () => {
  it('returns the smallest value that the given percentage does not exceed', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), {minLength: 1}), (values) => {
        const {p50, p85, p95} = percentilesOf(values);
        for (const [percent, found] of [
          [50, p50],
          [85, p85],
          [95, p95],
        ] as const) {
          const atMost = (value: number): number => values.filter((other) => other <= value).length;
          const enough = values.filter((value) => atMost(value) * 100 >= percent * values.length);
          expect(found).toBe(Math.min(...enough));
        }
      }),
    );
  });
});

describe('the window', () => {
  const now = Date.parse('2026-03-31T13:00:00Z');

  it('is the last 30 days by default', () => {
    expect(chooseWindow({}, now)).toEqual({since: '2026-03-02', until: '2026-03-31', days: 30});
    expect(chooseWindow({days: 1}, now)).toEqual({since: '2026-03-31', until: '2026-03-31', days: 1});
    expect(chooseWindow({since: '2024-02-28', until: '2024-03-01'}, now).days).toBe(3);
  });

  it.each([
    [{since: '2026-02-30'}, '`2026-02-30` is not a valid day'],
    [{until: 'today'}, '`today` is not a valid day'],
    [{since: '2026-03-02', until: '2026-03-01'}, 'ends on 2026-03-01, before its start'],
  ])('rejects %j', (words, message) => {
    expect(() => chooseWindow(words, now)).toThrow(message);
  });
});

describe('any history', () => {
  interface Step {
    readonly status: Timeline['status'];
    readonly afterMs: number;
  }
  const steps: fc.Arbitrary<Step[]> = fc.array(
    fc.record({
      status: fc.constantFrom<Timeline['status']>('ready', 'in_progress', 'blocked'),
      afterMs: fc.integer({min: 0, max: 3 * dayMs}),
    }),
    {maxLength: 12},
  );

  it('has the same blocked and worked time as a count minute by minute', () => {
    fc.assert(
      fc.property(steps, fc.integer({min: 0, max: dayMs}), ([...path], restMs) => {
        let timeline = made(0);
        let now = timeline.created;
        const total = {ready: 0, in_progress: 0, blocked: 0, done: 0};
        for (const {status, afterMs} of path) {
          total[timeline.status] += afterMs;
          now += afterMs;
          timeline = status === 'in_progress' ? claim(timeline, now) : moveTo(timeline, status, now);
        }
        total[timeline.status] += restMs;
        now += restMs;
        const wide = {since: '2026-01-01', until: '2026-12-31', days: 365};
        const {blocked_time: blockedTime} = measureFlow({wus: [['WU-1', timeline]], gates: {}}, wide, now);
        expect(blockedTime.hours).toBeCloseTo(total.blocked / hour, 1);
        expect(moveTo(timeline, 'done', now).worked ?? 0).toBe(total.in_progress);
      }),
    );
  });
});
