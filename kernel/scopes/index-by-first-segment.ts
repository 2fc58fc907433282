// Finds the patterns worth a look by how they begin: those with the same literal first segment, and those that
// begin with a wildcard.
import type {PathPattern} from './path-pattern.ts';
import {isLiteral} from './segment-glob.ts';

/** The literal that all paths of the pattern begin with, if there is one. */
function firstLiteral(pattern: PathPattern): string | undefined {
  const first = pattern.segments[0];
  return first !== undefined && isLiteral(first) ? first : undefined;
}

/** Gives the patterns that may match a path, or cover a pattern, that begins with `first`. */
export function indexByFirstSegment(
  patterns: readonly PathPattern[],
): (first: string | undefined) => readonly PathPattern[] {
  const anywhere = patterns.filter((pattern) => firstLiteral(pattern) === undefined);
  const byFirst = new Map<string, PathPattern[]>();
  for (const pattern of patterns) {
    const first = firstLiteral(pattern);
    if (first === undefined) continue;
    const sameFirst = byFirst.get(first);
    if (sameFirst === undefined) byFirst.set(first, [pattern, ...anywhere]);
    else sameFirst.push(pattern);
  }
  return (first) => (first === undefined ? anywhere : (byFirst.get(first) ?? anywhere));
}
