// Finds work units that may change the same files.
import {codePathPattern} from './code-path-pattern.ts';
import {patternsMeet} from './patterns-meet.ts';

export interface CodePaths {
  readonly id: string;
  readonly code_paths: readonly string[];
}

export interface Overlap {
  /** The other work unit. */
  readonly id: string;
  /** One pair of code paths that overlap. */
  readonly mine: string;
  readonly theirs: string;
}

/** The first overlapping pair with each of the others. */
export function findOverlaps(own: CodePaths, others: readonly CodePaths[]): readonly Overlap[] {
  return others.flatMap((other) => {
    if (other.id === own.id) return [];
    for (const mine of own.code_paths) {
      const theirs = other.code_paths.find((path) => patternsMeet(codePathPattern(mine), codePathPattern(path)));
      if (theirs !== undefined) return [{id: other.id, mine, theirs}];
    }
    return [];
  });
}
