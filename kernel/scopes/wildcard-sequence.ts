// A pattern is a sequence at two levels: characters in a segment, where `*` matches any number of them, and segments in a path, where
// `**` does. Both levels use the same algorithms for matching and intersection.
import type {WorkBudget} from './work-budget.ts';

export interface SequenceLevel {
  /** The token that matches any number of symbols, including none. */
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
 * All sequences that together match exactly what `a` and `b` both match, each with the level's separator after every token. It walks
 * the product of the two, where a state is a position in each. Only a state with a `many` in both has a loop, which is a `many` of the
 * result. Every other step advances, so the paths are finite. An exhausted budget ends it early with an incomplete answer.
 */
export function meetSequences(
  a: ArrayLike<string>,
  b: ArrayLike<string>,
  level: SequenceLevel,
  budget: WorkBudget,
): readonly string[] {
  const {many, separator} = level;
  const known = new Map<number, readonly string[]>();

  function restsFrom(i: number, j: number): readonly string[] {
    const state = i * (b.length + 1) + j;
    let rests = known.get(state);
    if (rests === undefined) {
      rests = budget.spend(stateCost) ? findRests(i, j) : none;
      known.set(state, rests);
    }
    return rests;
  }

  function findRests(i: number, j: number): readonly string[] {
    const left = a[i];
    const right = b[j];
    if (left === many && i === a.length - 1) return [write(b, j)];
    if (right === many && j === b.length - 1) return [write(a, i)];
    if (left === many && right === many) return after(many, unite(restsFrom(i + 1, j), restsFrom(i, j + 1)));
    if (left === many)
      return unite(restsFrom(i + 1, j), right === undefined ? none : after(right, restsFrom(i, j + 1)));
    if (right === many) return unite(restsFrom(i, j + 1), left === undefined ? none : after(left, restsFrom(i + 1, j)));
    if (left === undefined || right === undefined) return left === right ? [''] : none;
    return level.meet(left, right, budget).flatMap((token) => after(token, restsFrom(i + 1, j + 1)));
  }

  function write(tokens: ArrayLike<string>, from: number): string {
    let written = '';
    for (let at = from; at < tokens.length; at += 1) written += tokens[at] + separator;
    return written;
  }

  function after(token: string, rests: readonly string[]): readonly string[] {
    return rests.flatMap((rest) => (budget.spend(stringCost + rest.length) ? token + separator + rest : []));
  }

  return restsFrom(0, 0);
}

const none: readonly string[] = [];

/** Measured in the steps of a budget. */
const stateCost = 40;
const stringCost = 20;

function unite(a: readonly string[], b: readonly string[]): readonly string[] {
  if (a.length === 0) return b;
  return b.length === 0 ? a : [...new Set([...a, ...b])];
}
