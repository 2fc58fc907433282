// Suggests new lanes for work units in catch-all lanes: one for each folder that many of them change.
import {codePathPattern} from '../overlaps/code-path-pattern.ts';
import {patternsMeet} from '../overlaps/patterns-meet.ts';
import type {LaneView} from '../work-units/kernel-tasks.ts';
import type {WorkUnit} from '../work-units/work-unit.ts';
import {specificPatterns} from './suggest-lanes.ts';

export interface NewLaneSuggestion {
  readonly id: string;
  readonly code_paths: readonly string[];
  /** Number of work units that change files there. */
  readonly work_units: number;
  readonly reason: string;
}

/** Fewer are not significant. */
const unitsMin = 3;
/** Folders whose subfolders are separate packages. */
const nests: readonly string[] = ['packages', 'apps', 'services', 'libs', 'modules', 'crates', 'cmd', 'src'];

/** The folder with the most work first. */
export function suggestNewLanes(lanes: readonly LaneView[], units: readonly WorkUnit[]): readonly NewLaneSuggestion[] {
  const covered = lanes.flatMap(specificPatterns);
  const counts = new Map<string, number>();
  for (const {spec} of units) {
    const folders = new Set(spec.code_paths.map((path) => folderOf(codePathPattern(path))));
    for (const folder of folders) if (folder !== '') counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([folder, count]) => count >= unitsMin && !covered.some((pattern) => patternsMeet(pattern, `${folder}/**`)))
    .toSorted(([left, most], [right, more]) => more - most || (left < right ? -1 : 1))
    .map(([folder, count]) => ({
      id: folder.replaceAll(/[^A-Za-z0-9._-]+/g, '-').toLowerCase(),
      code_paths: [`${folder}/**`],
      work_units: count,
      reason: `${count} work units change files below \`${folder}\`, and no lane covers it`,
    }));
}

/** The package of a code path; empty if it starts with a wildcard or is a file at the top level. */
function folderOf(pattern: string): string {
  const segments = pattern.split('/');
  const depth = nests.includes(segments[0] ?? '') ? 2 : 1;
  const folder = segments.slice(0, depth);
  if (segments.length <= depth || folder.some((segment) => /[*?{}]/.test(segment))) return '';
  return folder.join('/');
}
