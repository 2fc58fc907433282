// Sets of patterns: the exact intersection of two of them, and their canonical form. A set matches what any of its
// patterns matches. Both the size of a set and the work to find it are bounded.
import {fingerprint, mayCover} from './fingerprint.ts';
import type {Fingerprinted} from './fingerprint.ts';
import {coversPattern, isLiteralPath, meetPatterns} from './path-pattern.ts';
import type {PathPattern} from './path-pattern.ts';
import {workBudget} from './work-budget.ts';
import type {WorkBudget} from './work-budget.ts';

/** Maximum number of patterns in a set. */
export const patternSetMax = 1024;

/** A typed refusal: the answer would be larger, or costlier to find, than the bounds allow. */
export type TooComplex = 'too_complex';

/** In the steps of a budget. */
const pairCost = 60;
const coverCost = 40;

/** Gives the canonical set of patterns that matches a path exactly when both sets do. Empty when no path is in both. */
export function intersectPatterns(
  a: readonly PathPattern[],
  b: readonly PathPattern[],
  budget: WorkBudget = workBudget(),
): readonly PathPattern[] | TooComplex {
  const met = new Map<string, PathPattern>();
  for (const left of a) {
    for (const right of b) {
      for (const pattern of meetPatterns(left, right, budget)) met.set(pattern.text, pattern);
      if (!budget.spend(pairCost)) return 'too_complex';
    }
  }
  return reducePatterns([...met.values()], budget);
}

/** Drops what another pattern of the set covers, and sorts by text. */
export function reducePatterns(
  patterns: readonly PathPattern[],
  budget: WorkBudget = workBudget(),
): readonly PathPattern[] | TooComplex {
  const distinct = [...new Map(patterns.map((pattern) => [pattern.text, pattern])).values()];
  const all = distinct.map(fingerprint);
  const globs = all.filter(({pattern}) => !isLiteralPath(pattern));
  if (!budget.spend((all.length * globs.length) / 4)) return 'too_complex';
  const covers = (outer: Fingerprinted, inner: Fingerprinted): boolean =>
    outer !== inner && mayCover(outer, inner) && budget.spend(coverCost) && coversPattern(outer.pattern, inner.pattern);
  const kept = all.filter((inner) => !globs.some((outer) => covers(outer, inner))).map(({pattern}) => pattern);
  if (budget.exhausted) return 'too_complex';
  if (kept.length > patternSetMax) return 'too_complex';
  return kept.toSorted((a, b) => (a.text < b.text ? -1 : 1));
}
