// Compares the figures of random histories with a naive computation from the events.
import * as fc from 'fast-check';
import {expect, it} from 'vitest';
import type {GatesRecorded} from '../gates/gate-event.ts';
import type {WuEvent} from '../work-units/wu-event.ts';
import {flowSlice} from './flow-slice.ts';
import {measureDora} from './measure-dora.ts';
import {measureFlow} from './measure-flow.ts';
import {percentilesOf} from './percentiles.ts';
import type {Window} from './window.ts';

type Event = WuEvent | GatesRecorded;

interface History {
  readonly id: string;
  readonly fixes: string | undefined;
  readonly events: readonly Event[];
}

const start = Date.parse('2026-03-01T00:00:00.000Z');
const hourMs = 3_600_000;

/** The possible next steps of a work unit; none after `completed`. */
const next = {
  created: ['claimed'],
  claimed: ['gates', 'blocked', 'gates', 'released', 'completed'],
  blocked: ['unblocked'],
  unblocked: ['gates', 'blocked', 'completed'],
  released: ['claimed'],
  gates: ['gates', 'completed', 'gates', 'blocked', 'released'],
  completed: [],
} as const;
type Step = keyof typeof next;

const history = (number: number): fc.Arbitrary<History> =>
  fc
    .record({
      bornHours: fc.integer({min: 0, max: 400}),
      fixes: fc.option(fc.integer({min: 1, max: 6}), {nil: undefined}),
      choices: fc.array(fc.tuple(fc.nat({max: 59}), fc.integer({min: 1, max: 60}), fc.boolean()), {
        maxLength: 16,
        size: 'max',
      }),
    })
    .map(({bornHours, fixes, choices}) => {
      const id = `WU-${number}`;
      const events: Event[] = [];
      let hours = bornHours;
      const add = (event: object): void => {
        const at = new Date(start + hours * hourMs).toISOString();
        events.push({...event, at, by: 's', id} as unknown as Event);
      };
      const named = fixes === undefined || fixes === number ? undefined : `WU-${fixes}`;
      add({type: 'wu_created', spec: {id, lane: 'core', type: 'bug', ...(named !== undefined && {fixes: named})}});
      let step: Step = 'created';
      for (const [choice, waited, passed] of choices) {
        const options: readonly Step[] = next[step];
        const taken = options[choice % Math.max(1, options.length)];
        if (taken === undefined) break;
        step = taken;
        hours += waited;
        if (step === 'gates') add({type: 'gates_recorded', task_id: id, passed, duration_ms: waited});
        else add({type: `wu_${step}`, token: 1});
      }
      return {id, fixes: named, events};
    });

const histories = fc.tuple(...[1, 2, 3, 4, 5, 6].map(history));
const march: Window = {since: '2026-03-03', until: '2026-03-24', days: 22};
const isIn = (at: string): boolean => at.slice(0, 10) >= march.since && at.slice(0, 10) <= march.until;
const hoursBetween = (from: string, to: string): number =>
  Math.round(((Date.parse(to) - Date.parse(from)) / hourMs) * 100) / 100;

it('follow from the events', () => {
  fc.assert(
    fc.property(histories, (all) => {
      const events = all.flatMap((each) => each.events).toSorted((a, b) => a.at.localeCompare(b.at));
      const folded = events.reduce(
        (state, event) => flowSlice.evolve(state, event),
        structuredClone(flowSlice.initial),
      );
      const now = start + 5000 * hourMs;
      const wus = Object.entries(folded.timelines);
      const figures = measureFlow({wus, gates: folded.gates}, march, now);
      const dora = measureDora(wus, wus, march);

      const first = ({events: own}: History, type: string): string =>
        own.find((event) => event.type === type)?.at ?? '';
      const done = all.filter((each) => isIn(first(each, 'wu_completed')));
      const lead = done.map((each) => hoursBetween(first(each, 'wu_created'), first(each, 'wu_completed')));
      const cycle = done.map((each) => hoursBetween(first(each, 'wu_claimed'), first(each, 'wu_completed')));
      const runs = events.filter((event) => event.type === 'gates_recorded' && isIn(event.at)) as GatesRecorded[];
      const fixed = done.filter(({id}) => all.some(({fixes}) => fixes === id));
      const repairs = done.filter(({fixes}) => fixes !== undefined);
      const wasReworked = ({events: own}: History): boolean => {
        const failures = own.filter((event) => event.type === 'gates_recorded');
        const passed = failures.findIndex((run) => run.passed);
        return (
          own.filter(({type}) => type === 'wu_claimed').length > 1 ||
          (passed >= 0 && failures.slice(passed).some((run) => !run.passed))
        );
      };

      expect(figures.throughput.created).toBe(all.filter((each) => isIn(first(each, 'wu_created'))).length);
      expect(figures.throughput.done).toBe(done.length);
      expect(figures.lead_time_hours).toEqual(percentilesOf(lead));
      expect(figures.cycle_time_hours).toEqual(percentilesOf(cycle));
      expect(figures.gates.runs).toBe(runs.length);
      expect(figures.gates.duration_ms).toEqual(percentilesOf(runs.map((run) => run.duration_ms)));
      if (runs.length > 0) {
        expect(figures.gates.pass_rate).toBeCloseTo(runs.filter(({passed}) => passed).length / runs.length, 4);
      }
      expect(figures.rework.wus).toBe(done.filter(wasReworked).length);
      if (done.length > 0) expect(dora.change_failure_rate.value).toBeCloseTo(fixed.length / done.length, 4);
      expect(dora.time_to_restore).toMatchObject({
        count: repairs.length,
        value: percentilesOf(
          repairs.map((each) => hoursBetween(first(each, 'wu_created'), first(each, 'wu_completed'))),
        ).p50,
      });
      const open = all.filter(({events: own}) => {
        const last = own.filter(({type}) => type !== 'gates_recorded').at(-1)?.type ?? '';
        return ['wu_claimed', 'wu_unblocked', 'wu_blocked'].includes(last);
      });
      expect(figures.wip.in_progress + figures.wip.blocked).toBe(open.length);
    }),
  );
});
