// Parses a path pattern of a spec. Unsupported syntax is rejected with its position, never interpreted otherwise: a scope that
// means less or more than its author thought is worse than none.
import {failed, ok, type Outcome} from '../outcome.ts';
import {expandBraces, glyphsOf} from './expand-braces.ts';
import type {Glyph, PatternProblem} from './expand-braces.ts';
import {pathPattern} from './path-pattern.ts';
import type {PathPattern} from './path-pattern.ts';

export type {PatternProblem} from './expand-braces.ts';

/** In UTF-16 units, as in the schema. */
const patternLengthMax = 1024;

const refused: readonly (readonly [RegExp, string, string])[] = [
  [/\p{Cc}|\p{Cs}/u, 'control characters and lone surrogates are not allowed', 'remove it'],
  [/\\/, 'backslashes are not allowed', 'separate segments by `/`; there are no escapes'],
  [/^!/, 'negation is not supported', 'list what is allowed, and what is not under `deny_overlays`'],
  [/[?*+@!]\(/, 'extended globs are not supported', 'write alternatives as `{a,b}`'],
  [/\[/, 'character classes are not supported', 'write `?` for one character, or alternatives as `{a,b}`'],
];

/** Gives one pattern for each alternative of the braces, at least one. */
export function parsePattern(text: string): Outcome<readonly PathPattern[], PatternProblem> {
  if (text.length > patternLengthMax) {
    const message = `the pattern has more than ${patternLengthMax} characters`;
    return failed({offset: patternLengthMax, message, help: 'split the scope into several'});
  }
  for (const [found, message, help] of refused) {
    const offset = text.search(found);
    if (offset >= 0) return failed({offset, message, help});
  }
  const alternatives = expandBraces(glyphsOf(text));
  if (!alternatives.ok) return alternatives;
  const patterns: PathPattern[] = [];
  for (const glyphs of alternatives.value) {
    const parsed = parseAlternative(glyphs);
    if (!parsed.ok) return parsed;
    patterns.push(parsed.value);
  }
  return ok(patterns);
}

function parseAlternative(glyphs: readonly Glyph[]): Outcome<PathPattern, PatternProblem> {
  const offset = glyphs[0]?.offset ?? 0;
  if (/^(\/|~(\/|$)|[A-Za-z]:)/.test(textOf(glyphs))) {
    return failed({offset, message: 'the path is absolute', help: 'write it relative to the workspace root'});
  }
  const segments: string[] = [];
  for (const segment of splitSegments(glyphs)) {
    const parsed = parseSegment(segment);
    if (!parsed.ok) return parsed;
    if (parsed.value !== '' && parsed.value !== '.') segments.push(parsed.value);
  }
  // A directory, as `src/` says, is nothing without what is in it.
  const isDirectory = glyphs.at(-1)?.char === '/' && segments.length > 0;
  if (isDirectory) return ok(pathPattern([...segments, '**']));
  if (segments.length > 0) return ok(pathPattern(segments));
  return failed({offset, message: 'the pattern does not name a path', help: 'write `**` for the whole workspace'});
}

function parseSegment(glyphs: readonly Glyph[]): Outcome<string, PatternProblem> {
  const text = textOf(glyphs);
  const offset = glyphs[0]?.offset ?? 0;
  if (text === '..') return failed({offset, message: '`..` is not allowed', help: 'write the path that it leads to'});
  const isWhole = text === '**' && glyphs[1]?.offset === offset + 1;
  if (isWhole || !text.includes('**')) return ok(text);
  const help = 'write `*` within a segment, or `**` as a whole segment';
  return failed({offset, message: '`**` must be a whole segment', help});
}

function splitSegments(glyphs: readonly Glyph[]): readonly (readonly Glyph[])[] {
  const segments: Glyph[][] = [[]];
  for (const glyph of glyphs) {
    if (glyph.char === '/') segments.push([]);
    else segments.at(-1)?.push(glyph);
  }
  return segments;
}

function textOf(glyphs: readonly Glyph[]): string {
  return glyphs.map((glyph) => glyph.char).join('');
}
