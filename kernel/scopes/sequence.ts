// A pattern is a sequence at two levels: characters in a segment, where `*` stands for any number of them, and
// segments in a path, where `**` does. Matching and meeting are the same two algorithms at both.
import type {WorkBudget} from './work-budget.ts';

export interface SequenceLevel {
  /** The token that stands for any number of symbols, none included. */
  readonly many: string;
  /** Put after each token when a sequence is written. */
  readonly separator: string;
  /** The tokens that together match exactly what two tokens (neither of them `many`) both match. */
  meet(a: string, b: string, budget: WorkBudget): readonly string[];
}

/**
 * Whether `pattern` matches all of `subject`. Only the latest `many` is ever retried, so the cost is at most
 * length times length. With another pattern as the subject it says whether `pattern` covers that one,
 * provided that `accepts` refuses a subject's `many`.
 */
export function matchSequence(
  pattern: ArrayLike<string>,
  subject: ArrayLike<string>,
  many: string,
  accepts: (token: string, symbol: string) => boolean,
): boolean {
  let at = 0;
  let position = 0;
  let afterMany = -1;
  let resumeFrom = 0;
  for (let symbol = subject[0]; symbol !== undefined; symbol = subject[position]) {
    const token = pattern[at];
    if (token === many) {
      at += 1;
      afterMany = at;
      resumeFrom = position;
    } else if (token !== undefined && accepts(token, symbol)) {
      at += 1;
      position += 1;
    } else if (afterMany >= 0) {
      at = afterMany;
      resumeFrom += 1;
      position = resumeFrom;
    } else {
      return false;
    }
  }
  while (pattern[at] === many) at += 1;
  return at === pattern.length;
}

/**
 * All sequences that together match exactly what `a` and `b` both match, each written with the level's separator
 * after every token. It walks the product of the two: a state is a position in each, and only where both stand
 * at a `many` is there a loop, which is a `many` of the result; every other step moves on, so the paths are finite.
 * An exhausted budget ends it early with an incomplete answer.
 */
export function meetSequences(
  a: ArrayLike<string>,
  b: ArrayLike<string>,
  level: SequenceLevel,
  budget: WorkBudget,
): readonly string[] {
  const known = new Map<number, ReadonlySet<string>>();

  function restsFrom(i: number, j: number): ReadonlySet<string> {
    const state = i * (b.length + 1) + j;
    const found = known.get(state);
    if (found !== undefined) return found;
    const rests = new Set<string>(i === a.length && j === b.length ? [''] : []);
    known.set(state, rests);
    for (const [token, nextI, nextJ] of stepsFrom(a[i], b[j], level, budget)) {
      const written = token === '' ? '' : token + level.separator;
      for (const rest of restsFrom(i + nextI, j + nextJ)) {
        if (!budget.spend(1 + rest.length)) return rests;
        rests.add(written + rest);
      }
    }
    return rests;
  }

  return [...restsFrom(0, 0)];
}

/** What may be written at a state, and how far each sequence then moves on. */
type Step = readonly [token: string, moveA: 0 | 1, moveB: 0 | 1];

function stepsFrom(
  a: string | undefined,
  b: string | undefined,
  level: SequenceLevel,
  budget: WorkBudget,
): readonly Step[] {
  const {many} = level;
  const skipA: Step = ['', 1, 0];
  const skipB: Step = ['', 0, 1];
  if (!budget.spend(1)) return [];
  if (a === many && b === many) return [[many, 1, 0] as const, [many, 0, 1] as const];
  if (a === many) return b === undefined ? [skipA] : [skipA, [b, 0, 1]];
  if (b === many) return a === undefined ? [skipB] : [skipB, [a, 1, 0]];
  if (a === undefined || b === undefined) return [];
  return level.meet(a, b, budget).map((token) => [token, 1, 1] as const);
}
