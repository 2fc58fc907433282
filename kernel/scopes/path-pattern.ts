// A compiled path pattern without alternatives: segment globs, and `**` for zero or more whole segments.
// `src/**` therefore matches `src` itself and all below it, and `**` matches every path, the root included.
import {canonicalGlob, coversGlob, isLiteral, matchesName, meetGlobs} from './segment-glob.ts';
import {matchSequence, meetSequences} from './wildcard-sequence.ts';
import type {SequenceLevel} from './wildcard-sequence.ts';
import type {WorkBudget} from './work-budget.ts';

export interface PathPattern {
  /** Canonical: patterns that match the same paths are written the same. */
  readonly text: string;
  readonly segments: readonly string[];
}

const pathSegments: SequenceLevel = {many: '**', separator: '/', meet: meetGlobs};

export const everyPath: PathPattern = pathPattern(['**']);

/** Takes segments as written; `*` and `**` side by side are put in one order, as their order means nothing. */
export function pathPattern(written: readonly string[]): PathPattern {
  const segments: string[] = [];
  for (const segment of written) {
    const glob = segment === '**' ? segment : canonicalGlob(segment);
    const afterMany = segments.at(-1) === '**';
    if (afterMany && glob === '*') segments.splice(-1, 0, glob);
    else if (!afterMany || glob !== '**') segments.push(glob);
  }
  return {text: segments.join('/'), segments};
}

/** The pattern that matches what `pattern` does and everything below. */
export function withAllBelow(pattern: PathPattern): PathPattern {
  return pathPattern([...pattern.segments, '**']);
}

export function isLiteralPath(pattern: PathPattern): boolean {
  return pattern.segments.every(isLiteral);
}

/**
 * Whether it fixes the depth and the last name of its matches, or of the directory that it matches completely. So do
 * `a/?/.git` and `.git/hooks/**`, but not `**` or `a/*`.
 */
export function endsInName({segments}: PathPattern): boolean {
  const end = segments.findLastIndex((segment) => segment !== '**') + 1;
  return isLiteral(segments[end - 1] ?? '*') && !segments.slice(0, end).includes('**');
}

export function matchesSegments(pattern: PathPattern, path: readonly string[]): boolean {
  return matchSequence(pattern.segments, path, '**', matchesName);
}

/** Whether every path that `inner` matches is matched by `outer`. A no may mean that it was not cheap to prove. */
export function coversPattern(outer: PathPattern, inner: PathPattern): boolean {
  return matchSequence(outer.segments, inner.segments, '**', (a, b) => b !== '**' && coversGlob(a, b));
}

/** The patterns that together match exactly the paths that both match. */
export function meetPatterns(a: PathPattern, b: PathPattern, budget: WorkBudget): readonly PathPattern[] {
  if (beginApart(a.segments, b.segments)) return [];
  if (coversPattern(a, b)) return [b];
  if (coversPattern(b, a)) return [a];
  return meetSequences(a.segments, b.segments, pathSegments, budget).map((text) =>
    pathPattern(text.slice(0, -1).split('/')),
  );
}

/** A cheap no: the literals that both begin with differ. */
function beginApart(a: readonly string[], b: readonly string[]): boolean {
  let at = 0;
  while (a[at] !== undefined && a[at] !== '**' && a[at] === b[at]) at += 1;
  const [left, right] = [a[at], b[at]];
  return left !== undefined && right !== undefined && left !== right && isLiteral(left) && isLiteral(right);
}
