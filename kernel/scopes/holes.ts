// The holes in every grant: the workspace's deny overlays, and reserved paths, mainly the runtime's own state under a `.lumenflow`
// anywhere. A hole covers a path and everything below it. It is compared without case, compatibility forms and invisible
// characters, because a file system that ignores them would open the same file for another notation.
import type {Problem} from '../problem.ts';
import {foldPath, foldPattern, isAscii} from './fold-path.ts';
import {compileMatcher} from './path-matcher.ts';
import {parsePattern} from './parse-pattern.ts';
import {coversPattern, everyPath, pathPattern, withAllBelow} from './path-pattern.ts';
import type {PathPattern} from './path-pattern.ts';

export interface Hole {
  /** As declared, before everything below is added. */
  readonly pattern: PathPattern;
  /** Undefined for a reserved path, which no file declares and none can open. */
  readonly where: string | undefined;
}

export interface Holes {
  readonly list: readonly Hole[];
  /** Whether a path that `normalizePath` gave lies in a hole. */
  cuts(normalized: string): boolean;
  /** The hole that a path which `normalizePath` gave lies in. */
  holeOver(normalized: string): Hole | undefined;
  /** The hole that takes everything the pattern matches. Undefined when none does alone. */
  holeAround(pattern: PathPattern): Hole | undefined;
}

const reservedPath: PathPattern = pathPattern(['.lumenflow']);
/** A folder within may be another workspace. */
const reservedWithin: PathPattern = pathPattern(['**', '.lumenflow']);

/**
 * `patterns` are the deny overlays, `reserved` plain patterns kept from every tool beside `.lumenflow`. A pattern that cannot
 * be read cuts everything, so that its problem overlooked opens nothing.
 */
export function compileHoles(
  patterns: readonly string[],
  where: (index: number) => string,
  reserved: readonly string[] = [],
): {holes: Holes; problems: readonly Problem[]} {
  const problems: Problem[] = [];
  const kept = [reservedPath, reservedWithin, ...reserved.map((text) => pathPattern(text.split('/')))];
  const list: Hole[] = kept.map((pattern) => ({pattern, where: undefined}));
  for (const [index, text] of patterns.entries()) {
    const parsed = parsePattern(text);
    const place = where(index);
    if (parsed.ok) {
      list.push(...parsed.value.map((pattern) => ({pattern, where: place})));
      continue;
    }
    list.push({pattern: everyPath, where: place});
    problems.push({
      code: 'DENY_OVERLAY_INVALID',
      severity: 'error',
      message: `deny overlay \`${text}\`, character ${parsed.problem.offset + 1}: ${parsed.problem.message}`,
      where: place,
      help: parsed.problem.help,
    });
  }
  return {holes: holesOf(list), problems};
}

function holesOf(list: readonly Hole[]): Holes {
  const regions = list.map((hole) => ({hole, region: withAllBelow(foldPattern(hole.pattern))}));
  const inFolded = compileMatcher(regions.map(({region}) => region));
  const inExact = compileMatcher(list.map((hole) => withAllBelow(hole.pattern)));
  return {
    list,
    // Folding may change the length of what is not ASCII, and with it what `?` matches: then both readings count.
    cuts: (normalized) =>
      isAscii(normalized) ? inFolded(normalized.toUpperCase()) : inFolded(foldPath(normalized)) || inExact(normalized),
    holeOver: (normalized) =>
      list.find((hole, index) => {
        const region = regions[index];
        const inRegion = region !== undefined && compileMatcher([region.region])(foldPath(normalized));
        return inRegion || compileMatcher([withAllBelow(hole.pattern)])(normalized);
      }),
    holeAround(pattern) {
      const folded = foldPattern(pattern);
      return regions.find(({region}) => coversPattern(region, folded))?.hole;
    },
  };
}
