// Suggests the lane for some work: its scopes allow the code paths, and similar work was done in it.
import {codePathPattern} from '../overlaps/code-path-pattern.ts';
import {patternsMeet} from '../overlaps/patterns-meet.ts';
import type {LaneView} from '../work-units/kernel-tasks.ts';
import type {WorkUnit} from '../work-units/work-unit.ts';

export interface Work {
  readonly code_paths: readonly string[];
  /** Title and description, which may mention lanes. */
  readonly text: string;
}

export interface LaneSuggestion {
  readonly lane: string;
  /** 0 to 1. */
  readonly score: number;
  readonly reasons: readonly string[];
}

/** Maximum number of earlier work units to consider. */
const historyMax = 500;

/** Best match first. Lanes without a match are omitted. */
export function suggestLanes(
  lanes: readonly LaneView[],
  units: readonly WorkUnit[],
  work: Work,
): readonly LaneSuggestion[] {
  const patterns = work.code_paths.map(codePathPattern);
  const alike = units
    .slice(-historyMax)
    .filter(({spec}) =>
      spec.code_paths.some((path) => patterns.some((mine) => patternsMeet(mine, codePathPattern(path)))),
    );
  return lanes
    .map((lane) => suggestion(lane, {...work, patterns, alike}))
    .filter(({score}) => score > 0)
    .toSorted((left, right) => right.score - left.score || (left.lane < right.lane ? -1 : 1));
}

interface Evidence extends Work {
  readonly patterns: readonly string[];
  readonly alike: readonly WorkUnit[];
}

function suggestion(lane: LaneView, {patterns, alike, text}: Evidence): LaneSuggestion {
  const specific = specificPatterns(lane);
  const covered = patterns.filter((path) => specific.some((pattern) => patternsMeet(pattern, path)));
  const done = alike.filter(({spec}) => spec.lane === lane.id);
  const isNamed = new RegExp(`\\b${lane.id.replaceAll(/[^A-Za-z0-9]+/g, '.')}\\b`, 'iu').test(text);
  const share = (count: number, of: number): number => (of === 0 ? 0 : count / of);
  const score =
    0.6 * share(covered.length, patterns.length) + 0.3 * share(done.length, alike.length) + (isNamed ? 0.1 : 0);
  return {
    lane: lane.id,
    score: Math.round(score * 100) / 100,
    reasons: [
      ...(covered.length > 0 ? [`its scopes reach ${covered.length} of ${patterns.length} code paths`] : []),
      ...(done.length > 0 ? [`${done.length} of ${alike.length} work units on the same files were done in it`] : []),
      ...(isNamed ? ['the text mentions it'] : []),
    ],
  };
}

/** Globs of repository files that the lane's work may change. A glob that matches everything is not specific. */
export function specificPatterns({allowed_scopes: scopes}: LaneView): readonly string[] {
  return scopes
    .flatMap(({access, pattern}) => (access === 'write' && pattern !== undefined ? [pattern] : []))
    .flatMap((pattern) => /^worktrees\/[^/]+\/(.+)$/.exec(pattern)?.[1] ?? (isBookkeeping(pattern) ? [] : pattern))
    .filter((pattern) => !/^[*/]+$/.test(pattern) && pattern !== '.git');
}

/** What every lane writes: git's own files, specs, and git's data of worktrees. */
function isBookkeeping(pattern: string): boolean {
  return /^(?:worktrees|\.git|docs)(?:\/|$)/.test(pattern);
}
