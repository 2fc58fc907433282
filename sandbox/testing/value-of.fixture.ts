// The value of a step that a test expects to succeed.
import type {Outcome} from '../outcome.ts';

export function valueOf<T>(outcome: Outcome<T, unknown>): T {
  if (outcome.ok) return outcome.value;
  throw new Error(JSON.stringify(outcome.problem));
}
