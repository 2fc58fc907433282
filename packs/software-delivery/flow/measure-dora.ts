// The four DORA figures, each with its formula.
import {cycleHours} from './measure-flow.ts';
import {hoursOf, percentilesOf, ratioOf} from './percentiles.ts';
import {doneAt, type Timeline} from './timeline.ts';
import {isWithin, spanOf, type Window} from './window.ts';

export interface DoraFigure {
  /** Null if there was nothing to measure. */
  readonly value: number | null;
  readonly unit: 'per day' | 'hours' | 'ratio';
  readonly formula: string;
  /** Number of work units measured. */
  readonly count: number;
}

export interface DoraFigures {
  readonly deployment_frequency: DoraFigure;
  readonly lead_time_for_changes: DoraFigure;
  readonly change_failure_rate: DoraFigure;
  readonly time_to_restore: DoraFigure;
}

/** `all` covers the whole log, because a fix can belong to another lane or initiative. */
export function measureDora(
  chosen: readonly (readonly [string, Timeline])[],
  all: readonly (readonly [string, Timeline])[],
  window: Window,
): DoraFigures {
  const span = spanOf(window);
  const finished = chosen.filter(([, timeline]) => isWithin(span, doneAt(timeline)));
  const repaired = new Set(all.flatMap(([, {fixes}]) => fixes ?? []));
  const failed = finished.filter(([id]) => repaired.has(id)).length;
  const cycles = finished.flatMap(([, timeline]) => cycleHours(timeline));
  const repairs = finished.flatMap(([, {fixes, since, created}]) =>
    fixes === undefined ? [] : [hoursOf(since - created)],
  );
  return {
    deployment_frequency: {
      value: ratioOf(finished.length, window.days),
      unit: 'per day',
      formula: 'work units done in the window / days of the window',
      count: finished.length,
    },
    lead_time_for_changes: {
      value: percentilesOf(cycles).p50,
      unit: 'hours',
      formula: 'median of (done - first claimed) over work units done in the window',
      count: cycles.length,
    },
    change_failure_rate: {
      value: ratioOf(failed, finished.length),
      unit: 'ratio',
      formula: 'work units done in the window that another one fixes / work units done in the window',
      count: finished.length,
    },
    time_to_restore: {
      value: percentilesOf(repairs).p50,
      unit: 'hours',
      formula: 'median of (done - created) over work units done in the window that fix another one',
      count: repairs.length,
    },
  };
}
