// Decides whether two globs can match the same path, existing or not. So two work units that would create the same file are found
// before either starts. Exact for literals, `?`, `*`, `**` as whole segments and `{a,b}`.
import {expandBraces} from '../files/match-glob.ts';

/** Throws ToolError INVALID_GLOB. */
export function patternsMeet(left: string, right: string): boolean {
  const rights = expandBraces(right).map((pattern) => pattern.split('/'));
  return expandBraces(left)
    .map((pattern) => pattern.split('/'))
    .some((mine) => rights.some((theirs) => segmentsMeet(mine, theirs)));
}

function segmentsMeet(left: readonly string[], right: readonly string[]): boolean {
  return sequencesMeet({left, right, many: '**', meets: namesMeet});
}

function namesMeet(left: string, right: string): boolean {
  if (left === right) return true;
  const meets = (one: string, other: string): boolean => one === other || one === '?' || other === '?';
  return sequencesMeet({left: Array.from(left), right: Array.from(right), many: '*', meets});
}

interface Sequences {
  readonly left: readonly string[];
  readonly right: readonly string[];
  /** The element that matches any number of elements. */
  readonly many: string;
  meets(left: string, right: string): boolean;
}

/** Visits each pair of positions once, so the work is at most the product of the lengths. */
function sequencesMeet({left, right, many, meets}: Sequences): boolean {
  const seen = new Set<number>();
  const open: [number, number][] = [[0, 0]];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const [at, rightAt] = place;
    const key = at * (right.length + 1) + rightAt;
    if (seen.has(key)) continue;
    seen.add(key);
    const [mine, theirs] = [left[at], right[rightAt]];
    if (mine === undefined && theirs === undefined) return true;
    // `many` matches nothing, or consumes one element of the other side.
    if (mine === many) open.push([at + 1, rightAt]);
    if (theirs === many) open.push([at, rightAt + 1]);
    if (mine === undefined || theirs === undefined) continue;
    if (mine === many) open.push([at, rightAt + 1]);
    if (theirs === many) open.push([at + 1, rightAt]);
    if (mine !== many && theirs !== many && meets(mine, theirs)) open.push([at + 1, rightAt + 1]);
  }
  return false;
}
