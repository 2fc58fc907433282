// Where and with which values a list of steps runs.
import type {Values} from './step-end.ts';

export interface StepPlace {
  /** JSON pointer into the program, with `[N]` after a step that repeats others. */
  readonly at: string;
  readonly values: Values;
  /** Number of steps that it is nested in. */
  readonly depth: number;
  /** Milliseconds since the epoch at which the innermost `timeout` ends. */
  readonly deadline?: number | undefined;
}

/** Of a list of steps within the step at this place. */
export function inner(place: StepPlace, pointer: string, values: Values = place.values): StepPlace {
  return {...place, at: place.at + pointer, values, depth: place.depth + 1};
}
