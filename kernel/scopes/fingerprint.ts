// A cheap negative answer to "does this pattern cover that one": every literal of the outer must be in the inner.
import type {PathPattern} from './path-pattern.ts';
import {isLiteral} from './segment-glob.ts';

/** A pattern with its literal segments and characters, each hashed to one of 32 bits. */
export interface Fingerprinted {
  readonly pattern: PathPattern;
  readonly names: number;
  readonly characters: number;
}

export function fingerprint(pattern: PathPattern): Fingerprinted {
  let names = 0;
  let characters = 0;
  for (const segment of pattern.segments) {
    let hash = 0;
    for (let at = 0; at < segment.length; at += 1) {
      const code = segment.charCodeAt(at);
      hash = (hash * 31 + code) | 0;
      if (code !== star && code !== questionMark) characters |= 1 << (code & 31);
    }
    if (isLiteral(segment)) names |= 1 << ((hash ^ (hash >>> 15)) & 31);
  }
  return {pattern, names, characters};
}

const star = 0x2a;
const questionMark = 0x3f;

/** False when `outer` certainly does not cover `inner`. */
export function mayCover(outer: Fingerprinted, inner: Fingerprinted): boolean {
  return (outer.names & ~inner.names) === 0 && (outer.characters & ~inner.characters) === 0;
}
