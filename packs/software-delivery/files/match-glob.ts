// Globs over workspace paths, in the syntax of scopes: literals, `?`, `*` within a segment, `**` for whole segments, `{a,b}`.
// They are matched without regular expressions, so matching takes at most pattern × path steps.
import {ToolError} from '@lumenflow/pack-sdk';

const alternativesMax = 256;

/** True when a path relative to the workspace root matches. */
export type PathMatcher = (path: string) => boolean;

/** A glob without `/` is matched against the name alone, at any depth. Throws ToolError INVALID_GLOB. */
export function compileGlob(glob: string): PathMatcher {
  const patterns = expandBraces(glob).map((pattern) => pattern.replace(/^\//, '').split('/'));
  const nameOnly = !glob.includes('/');
  return (path) => {
    const segments = nameOnly ? [path.slice(path.lastIndexOf('/') + 1)] : path.split('/');
    return patterns.some((pattern) => matchSegments(pattern, segments));
  };
}

/** The patterns that the braces expand to. Throws ToolError INVALID_GLOB. */
export function expandBraces(glob: string): string[] {
  let patterns = [glob];
  // One level at a time: replaces the first innermost group by its alternatives until none is left.
  for (;;) {
    const next = patterns.flatMap((pattern) => {
      const group = /\{([^{}]*)\}/.exec(pattern);
      if (group === null) return [pattern];
      const before = pattern.slice(0, group.index);
      const after = pattern.slice(group.index + group[0].length);
      return (group[1] ?? '').split(',').map((alternative) => before + alternative + after);
    });
    if (next.length > alternativesMax) {
      throw new ToolError('INVALID_GLOB', `\`${glob}\` has more than ${alternativesMax} alternatives`);
    }
    if (next.every((pattern, index) => pattern === patterns[index])) break;
    patterns = next;
  }
  if (patterns.some((pattern) => /[{}]/.test(pattern))) {
    throw new ToolError('INVALID_GLOB', `\`${glob}\` has an unbalanced brace`);
  }
  return patterns;
}

function matchSegments(pattern: readonly string[], segments: readonly string[]): boolean {
  return matchSequence(
    {length: pattern.length, isMany: (at) => pattern[at] === '**'},
    segments.length,
    (patternAt, at) => matchName(pattern[patternAt] ?? '', segments[at] ?? ''),
  );
}

function matchName(pattern: string, name: string): boolean {
  return matchSequence(
    {length: pattern.length, isMany: (at) => pattern[at] === '*'},
    name.length,
    (patternAt, at) => pattern[patternAt] === '?' || pattern[patternAt] === name[at],
  );
}

interface SequencePattern {
  readonly length: number;
  /** True if the element matches any number of elements. */
  isMany(at: number): boolean;
}

/** Greedy matching that backtracks only to the last `many`. That is enough, because an earlier one could not match less. */
function matchSequence(
  pattern: SequencePattern,
  length: number,
  matchesOne: (patternAt: number, at: number) => boolean,
): boolean {
  let patternAt = 0;
  let at = 0;
  let lastMany = -1;
  let resumeAt = 0;
  while (at < length) {
    if (patternAt < pattern.length && pattern.isMany(patternAt)) {
      lastMany = patternAt;
      resumeAt = at;
      patternAt += 1;
    } else if (patternAt < pattern.length && matchesOne(patternAt, at)) {
      patternAt += 1;
      at += 1;
    } else if (lastMany >= 0) {
      resumeAt += 1;
      at = resumeAt;
      patternAt = lastMany + 1;
    } else {
      return false;
    }
  }
  while (patternAt < pattern.length && pattern.isMany(patternAt)) patternAt += 1;
  return patternAt === pattern.length;
}
