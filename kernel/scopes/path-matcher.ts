// Matches a path against a set of patterns. It is compiled once, so that a path is compared only with patterns of the same
// beginning.
import {indexByFirstSegment} from './index-by-first-segment.ts';
import {segmentsOf} from './normalize-path.ts';
import {isLiteralPath, matchesSegments} from './path-pattern.ts';
import type {PathPattern} from './path-pattern.ts';

/** Says whether the set matches a path that `normalizePath` gave. */
export type PathMatcher = (normalized: string) => boolean;

export function compileMatcher(patterns: readonly PathPattern[]): PathMatcher {
  const literals = new Set(patterns.filter(isLiteralPath).map((pattern) => pattern.text));
  const candidates = indexByFirstSegment(patterns.filter((pattern) => !isLiteralPath(pattern)));
  return (normalized) => {
    if (literals.has(normalized)) return true;
    const path = segmentsOf(normalized);
    return candidates(path[0]).some((pattern) => matchesSegments(pattern, path));
  };
}
