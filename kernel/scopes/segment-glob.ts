// One segment of a pattern: literal characters, `?` for one character and `*` for any number of them.
// A character is a Unicode code point. Nothing is escaped, so a glob is its own text.
import {matchSequence, meetSequences} from './wildcard-sequence.ts';
import type {SequenceLevel} from './wildcard-sequence.ts';
import type {WorkBudget} from './work-budget.ts';

const characters: SequenceLevel = {
  many: '*',
  separator: '',
  meet: (a, b) => (a === b || b === '?' ? [a] : a === '?' ? [b] : []),
};

/** The canonical one of globs that match the same names: `*?` is `?*`, and `?*` is `*`, because no name is empty. */
export function canonicalGlob(glob: string): string {
  if (isLiteral(glob)) return glob;
  const written = glob.replaceAll(/[?*]+/g, (run) => (run.includes('*') ? `${run.replaceAll('*', '')}*` : run));
  return written === '?*' ? '*' : written;
}

export function isLiteral(glob: string): boolean {
  return !glob.includes('*') && !glob.includes('?');
}

export function matchesName(glob: string, name: string): boolean {
  if (glob === '*' || glob === name) return true;
  if (isLiteral(glob)) return false;
  const [tokens, symbols] = readAlike(glob, name);
  return matchSequence(tokens, symbols, '*', (token, symbol) => token === '?' || token === symbol);
}

/** Whether every name that `inner` matches is matched by `outer`. A no may mean that it was not cheap to prove. */
export function coversGlob(outer: string, inner: string): boolean {
  if (outer === '*' || outer === inner) return true;
  if (isLiteral(outer)) return false;
  const [tokens, symbols] = readAlike(outer, inner);
  return matchSequence(tokens, symbols, '*', (token, symbol) => symbol !== '*' && (token === '?' || token === symbol));
}

/** The globs that together match exactly the names that both match. */
export function meetGlobs(a: string, b: string, budget: WorkBudget): readonly string[] {
  if (coversGlob(a, b)) return [b];
  if (coversGlob(b, a)) return [a];
  if (isLiteral(a) || isLiteral(b)) return [];
  return meetSequences(...readAlike(a, b), characters, budget)
    .map(canonicalGlob)
    .filter(isName);
}

/** `.*` and `*.` would meet in `.` too, which no file is called. */
function isName(glob: string): boolean {
  return glob !== '.' && glob !== '..';
}

/** Both by code point. Without a `?`, which counts characters, UTF-16 units are equivalent and cost nothing. */
function readAlike(a: string, b: string): readonly [ArrayLike<string>, ArrayLike<string>] {
  return a.includes('?') || b.includes('?') ? [Array.from(a), Array.from(b)] : [a, b];
}
