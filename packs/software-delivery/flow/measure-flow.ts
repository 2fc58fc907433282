// Flow figures, computed from the log's events. Durations cover work units that were done in the window; work in progress and its
// age are current.
import {hoursOf, percentilesOf, ratioOf, type Percentiles} from './percentiles.ts';
import {doneAt, type GateDay, type Timeline} from './timeline.ts';
import {dayOf, dayText, isWithin, overlapMs, spanOf, type Span, type Window} from './window.ts';

export interface FlowFacts {
  readonly wus: readonly (readonly [string, Timeline])[];
  /** By day, YYYY-MM-DD. */
  readonly gates: Readonly<Record<string, GateDay>>;
}

export interface FlowFigures {
  readonly throughput: {readonly created: number; readonly done: number; readonly done_per_week: number};
  /** From created to done. */
  readonly lead_time_hours: Percentiles;
  /** From the first claim to done. */
  readonly cycle_time_hours: Percentiles;
  readonly wip: {
    readonly in_progress: number;
    readonly blocked: number;
    readonly age_hours: Percentiles;
    /** The ten with the earliest claims. */
    readonly oldest: readonly {readonly wu: string; readonly lane: string; readonly age_hours: number}[];
  };
  readonly blocked_time: {readonly hours: number; readonly wus: number};
  /** Time in progress / lead time; null if nothing was done. */
  readonly flow_efficiency: number | null;
  readonly gates: {
    readonly runs: number;
    readonly pass_rate: number | null;
    readonly duration_ms: Percentiles;
  };
  readonly rework: {readonly wus: number; readonly rate: number | null};
}

export function measureFlow({wus, gates}: FlowFacts, window: Window, now: number): FlowFigures {
  const timelines = wus.map(([, timeline]) => timeline);
  const span = spanOf(window);
  const finished = timelines.filter((timeline) => isWithin(span, doneAt(timeline)));
  const created = timelines.filter((timeline) => isWithin(span, timeline.created)).length;
  const reworked = finished.filter((timeline) => timeline.reworked === true).length;
  const worked = sum(finished.map((timeline) => timeline.worked ?? 0));
  const lead = finished.map(({since, created: from}) => since - from);
  return {
    throughput: {
      created,
      done: finished.length,
      done_per_week: Math.round((finished.length / window.days) * 700) / 100,
    },
    lead_time_hours: percentilesOf(lead.map(hoursOf)),
    cycle_time_hours: percentilesOf(finished.flatMap(cycleHours)),
    wip: measureWip(wus, now),
    blocked_time: measureBlocked(timelines, span, now),
    flow_efficiency: ratioOf(worked, sum(lead)),
    gates: measureGates(gates, window),
    rework: {wus: reworked, rate: ratioOf(reworked, finished.length)},
  };
}

/** For a finished work unit; empty if it was never claimed. */
export function cycleHours({since, claimed}: Timeline): readonly number[] {
  return claimed === undefined ? [] : [hoursOf(since - claimed)];
}

function measureWip(wus: FlowFacts['wus'], now: number): FlowFigures['wip'] {
  const open = wus.filter(([, {status}]) => status === 'in_progress' || status === 'blocked');
  const aged = open
    .map(([wu, {lane, claimed, since}]) => ({wu, lane, age_hours: hoursOf(now - (claimed ?? since))}))
    .toSorted((a, b) => b.age_hours - a.age_hours);
  const blocked = open.filter(([, {status}]) => status === 'blocked').length;
  return {
    in_progress: open.length - blocked,
    blocked,
    age_hours: percentilesOf(aged.map(({age_hours: hours}) => hours)),
    oldest: aged.slice(0, 10),
  };
}

function measureBlocked(timelines: readonly Timeline[], span: Span, now: number): FlowFigures['blocked_time'] {
  const stopped = timelines.filter(({blocked, status}) => blocked !== undefined || status === 'blocked');
  const spans = stopped.map(({blocked = [], status, since}) => {
    const all = status === 'blocked' ? [...blocked, [since, now] as const] : blocked;
    return sum(all.map(([from, to]) => overlapMs(span, from, to)));
  });
  return {hours: hoursOf(sum(spans)), wus: spans.filter((ms) => ms > 0).length};
}

function measureGates(gates: FlowFacts['gates'], {since, days}: Window): FlowFigures['gates'] {
  const first = dayOf(Date.parse(since));
  const inWindow = Array.from(
    {length: days},
    (_, index) => gates[dayText(first + index)] ?? {passed: 0, durations: []},
  );
  const durations = inWindow.flatMap((day) => day.durations);
  return {
    runs: durations.length,
    pass_rate: ratioOf(sum(inWindow.map(({passed}) => passed)), durations.length),
    duration_ms: percentilesOf(durations),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
