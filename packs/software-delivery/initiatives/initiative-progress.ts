// An initiative's progress, counted from the status of its work units.
import type {WorkUnit, WuStatus} from '../work-units/work-unit.ts';
import {compareIds} from '../work-units/compare-ids.ts';
import {membersOf, type Initiative, type Initiatives} from './initiative-slice.ts';

export type StatusCounts = Readonly<Record<WuStatus | 'total', number>>;

export interface InitiativeWu {
  readonly id: string;
  readonly title: string;
  readonly lane: string;
  readonly status: WuStatus;
  readonly phase?: number;
}

export interface InitiativeProgress {
  readonly counts: StatusCounts;
  /** Percentage of work units that are done; 0 if there are none. */
  readonly percent: number;
  readonly phases: readonly {readonly phase: number; readonly title: string; readonly counts: StatusCounts}[];
  /** Sorted by id. */
  readonly wus: readonly InitiativeWu[];
}

type Units = Readonly<Record<string, WorkUnit>>;

export function measureProgress(state: Initiatives, initiative: Initiative, units: Units): InitiativeProgress {
  const wus = membersOf(state, initiative.id)
    .flatMap(([id, {phase}]): readonly InitiativeWu[] => {
      const unit = units[id];
      if (unit === undefined) return [];
      const {title, lane} = unit.spec;
      return [{id, title, lane, status: unit.status, ...(phase !== undefined && {phase})}];
    })
    .toSorted((a, b) => compareIds(a.id, b.id));
  const counts = countStatuses(wus);
  return {
    counts,
    percent: counts.total === 0 ? 0 : Math.floor((counts.done / counts.total) * 100),
    phases: initiative.phases.map((title, index) => {
      const phase = index + 1;
      return {phase, title, counts: countStatuses(wus.filter((wu) => wu.phase === phase))};
    }),
    wus,
  };
}

function countStatuses(wus: readonly InitiativeWu[]): StatusCounts {
  const counts = {ready: 0, in_progress: 0, blocked: 0, done: 0, total: wus.length};
  for (const {status} of wus) counts[status] += 1;
  return counts;
}
