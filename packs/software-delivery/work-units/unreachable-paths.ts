// Finds code paths that a work unit could not write, because its lane allows no write that meets them.
import {isToolError} from '@lumenflow/pack-sdk';
import {codePathPattern} from '../overlaps/code-path-pattern.ts';
import {patternsMeet} from '../overlaps/patterns-meet.ts';
import type {LaneView} from './kernel-tasks.ts';
import type {WuSpec} from './wu-spec.ts';

export function unreachablePaths(
  {id, lane, code_paths: paths}: Pick<WuSpec, 'id' | 'lane' | 'code_paths'>,
  lanes: readonly LaneView[],
): readonly string[] {
  const scopes = lanes.find((each) => each.id === lane)?.allowed_scopes;
  if (scopes === undefined) return [];
  const written = scopes.flatMap(({access, pattern}) => (access === 'write' && pattern !== undefined ? [pattern] : []));
  return paths.filter((path) => {
    try {
      const place = `worktrees/${id.toLowerCase()}/${codePathPattern(path)}`;
      return !written.some((pattern) => patternsMeet(pattern, place));
    } catch (error) {
      // An invalid path is reported elsewhere.
      if (isToolError(error)) return false;
      throw error;
    }
  });
}
