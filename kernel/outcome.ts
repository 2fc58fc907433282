// The result of an internal step that can fail for a reason worth reporting. Broken invariants are thrown instead. The runtime
// returns other shapes: `ToolOutput` for calls and `TransitionResult` for transitions.
import type {Problem} from './problem.ts';

/** Either the value of a step, or the problem that prevented it. `ok` discriminates. */
export type Outcome<T, P = Problem> = Success<T> | Failed<P>;

export interface Success<T> {
  readonly ok: true;
  readonly value: T;
}

export interface Failed<P = Problem> {
  readonly ok: false;
  readonly problem: P;
}

export function ok<T>(value: T): Success<T> {
  return {ok: true, value};
}

export function failed<P>(problem: P): Failed<P> {
  return {ok: false, problem};
}
