// Checks that lanes can run work units: what their scopes must make writable.
import {patternsMeet} from '../overlaps/patterns-meet.ts';
import type {PackConfig} from '../pack-config.ts';
import type {LaneView} from '../work-units/kernel-tasks.ts';
import {specFolder} from '../work-units/spec-place.ts';
import type {WorkUnit} from '../work-units/work-unit.ts';

export interface LaneProblem {
  readonly lane: string;
  readonly code: 'NO_WORKTREES' | 'NO_GIT' | 'NO_SPECS' | 'NO_WIP_LIMIT' | 'NO_READING';
  readonly severity: 'error' | 'warn';
  readonly message: string;
}

/** What work units of a lane write, and the finding if the lane does not allow it. */
const needs: readonly (Omit<LaneProblem, 'lane'> & {
  readonly access: 'read' | 'write';
  place(config: PackConfig): string;
})[] = [
  {
    code: 'NO_WORKTREES',
    severity: 'error',
    access: 'write',
    place: () => 'worktrees/**',
    message: '`worktrees/` is not writable, so its work units cannot change files',
  },
  {
    code: 'NO_GIT',
    severity: 'error',
    access: 'write',
    place: () => '.git/**',
    message: '`.git/**` is not writable, so its work units cannot commit',
  },
  {
    code: 'NO_SPECS',
    severity: 'warn',
    access: 'write',
    place: (config) => `${specFolder(config)}/**`,
    message: 'the specs are not writable, so its sessions cannot create work units',
  },
  {
    code: 'NO_READING',
    severity: 'error',
    access: 'read',
    place: () => 'worktrees/*/README.md',
    message: 'worktrees are not readable',
  },
];

export function validateLanes(
  lanes: readonly LaneView[],
  units: readonly WorkUnit[],
  config: PackConfig,
): readonly LaneProblem[] {
  const used = new Set(units.flatMap(({spec, status}) => (status === 'done' ? [] : [spec.lane])));
  return lanes.flatMap((lane) => {
    // A lane without work units may have another purpose.
    const severity = (own: LaneProblem['severity']): LaneProblem['severity'] => (used.has(lane.id) ? own : 'warn');
    const unmet = needs.filter(({access, place}) => !allows(lane, access, place(config)));
    return [
      ...unmet.map(({code, message, severity: own}) => ({lane: lane.id, code, severity: severity(own), message})),
      ...limitProblems(lane),
    ];
  });
}

function limitProblems({id: lane, wip_limit: limit}: LaneView): readonly LaneProblem[] {
  if (limit !== undefined) return [];
  return [
    {
      lane,
      code: 'NO_WIP_LIMIT',
      severity: 'warn',
      message: 'it has no `wip_limit`, so the work in progress is not limited',
    },
  ];
}

function allows({allowed_scopes: scopes}: LaneView, access: 'read' | 'write', place: string): boolean {
  return scopes.some(
    (scope) =>
      scope.pattern !== undefined &&
      (access === 'read' || scope.access === 'write') &&
      patternsMeet(scope.pattern, place),
  );
}
