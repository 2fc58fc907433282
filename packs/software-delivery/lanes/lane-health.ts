// Finds problems in lanes, each with its fix.
import {findOverlaps} from '../overlaps/find-overlaps.ts';
import {waitingFor} from '../listing/list-units.ts';
import type {LaneView} from '../work-units/kernel-tasks.ts';
import type {WorkUnits} from '../work-units/work-unit-slice.ts';
import {laneBoard, unitsByLane, type LaneRow} from './lane-board.ts';

export interface LaneFinding {
  readonly lane: string;
  readonly code: 'LEASE_EXPIRED' | 'BLOCKED_LONG' | 'OVER_LIMIT' | 'FROZEN_LONG' | 'STARVED' | 'OVERLAP' | 'LANE_GONE';
  readonly severity: 'error' | 'warn';
  readonly message: string;
  readonly help: string;
}

const dayMs = 24 * 60 * 60 * 1000;

/** `now` in milliseconds since the epoch. */
export function judgeLaneHealth(lanes: readonly LaneView[], state: WorkUnits, now: number): readonly LaneFinding[] {
  const board = laneBoard(lanes, state, now);
  return [
    ...board.flatMap((lane) => [...unitFindings(lane), ...limitFindings(lane), ...frozenFindings(lane, state, now)]),
    ...starvedFindings(board, state),
    ...overlapFindings(state),
    ...goneFindings(board, state),
  ];
}

function unitFindings({id: lane, units}: LaneRow): readonly LaneFinding[] {
  return units.flatMap(({id, lease_expired: isExpired, status, age_ms: age}): LaneFinding[] => {
    if (isExpired) {
      const message = `the lease of \`${id}\` has expired`;
      return [
        {
          lane,
          code: 'LEASE_EXPIRED',
          severity: 'error',
          message,
          help: 'claim it again, or release it with `wu:release`',
        },
      ];
    }
    if (status !== 'blocked' || age < 2 * dayMs) return [];
    const message = `\`${id}\` has been blocked for ${Math.floor(age / dayMs)} days`;
    return [{lane, code: 'BLOCKED_LONG', severity: 'warn', message, help: 'unblock, release or escalate it'}];
  });
}

function limitFindings({id: lane, wip_limit: limit, counts}: LaneRow): readonly LaneFinding[] {
  const busy = counts.in_progress + counts.blocked;
  if (limit === null || busy <= limit) return [];
  const message = `${busy} work units are in progress, but the limit is ${limit}`;
  return [
    {
      lane,
      code: 'OVER_LIMIT',
      severity: 'error',
      message,
      help: 'finish or release some of them before the next claim',
    },
  ];
}

function frozenFindings({id: lane, frozen}: LaneRow, {lanes}: WorkUnits, now: number): readonly LaneFinding[] {
  const since = lanes[lane]?.frozen?.since;
  if (frozen === undefined || since === undefined || now - Date.parse(since) < 7 * dayMs) return [];
  const message = `it has accepted no claims since ${since}: ${frozen}`;
  return [
    {
      lane,
      code: 'FROZEN_LONG',
      severity: 'warn',
      message,
      help: 'lift the freeze with `lane-lock:freeze` and `lift: true`',
    },
  ];
}

/** Slots are free and there is work, but none of it can start. */
function starvedFindings(board: readonly LaneRow[], {units}: WorkUnits): readonly LaneFinding[] {
  const all = Object.values(units);
  const waiting = waitingFor(units);
  return board.flatMap(({id: lane, free_slots: free, counts}): LaneFinding[] => {
    if (free === 0 || counts.ready === 0) return [];
    const ready = all.filter(({spec, status}) => spec.lane === lane && status === 'ready');
    if (ready.some(({spec}) => waiting(spec.id).length === 0)) return [];
    const awaited = [...new Set(ready.flatMap(({spec}) => waiting(spec.id)))].slice(0, 5);
    const message = `all of its ${ready.length} ready work units depend on others: ${awaited.join(', ')}`;
    return [{lane, code: 'STARVED', severity: 'warn', message, help: 'start with their dependencies'}];
  });
}

function overlapFindings({units}: WorkUnits): readonly LaneFinding[] {
  const busy = Object.values(units).flatMap(({spec, status}) =>
    status === 'in_progress' || status === 'blocked' ? [spec] : [],
  );
  return busy.flatMap((spec, index) =>
    findOverlaps(spec, busy.slice(index + 1)).map(({id, mine, theirs}): LaneFinding => {
      const message = `\`${spec.id}\` and \`${id}\` may change the same files: \`${mine}\` overlaps \`${theirs}\``;
      return {lane: spec.lane, code: 'OVERLAP', severity: 'error', message, help: 'release one of them'};
    }),
  );
}

function goneFindings(board: readonly LaneRow[], {units}: WorkUnits): readonly LaneFinding[] {
  const known = new Set(board.map(({id}) => id));
  const open = Object.values(units).filter(({spec, status}) => status !== 'done' && !known.has(spec.lane));
  return [...unitsByLane(open)].map(([lane, lost]): LaneFinding => {
    const message = `the lane is missing in workspace.yaml, but has ${lost.length} open work units`;
    return {
      lane,
      code: 'LANE_GONE',
      severity: 'error',
      message,
      help: 'restore the lane, or recreate them in another lane',
    };
  });
}
