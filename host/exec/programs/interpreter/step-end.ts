// How a step, or a list of steps, ended.
import type {ProgramRunState, ToolFailure} from '@lumenflow/schemas';

/** By the names that expressions use. */
export type Values = Readonly<Record<string, unknown>>;

export interface StepFailure extends ToolFailure {
  /** The step that failed. */
  readonly step: string;
}

/** The run ends here, and no `catch` or `finally` runs. */
export interface Stopped {
  readonly type: 'stopped';
  readonly state: Extract<ProgramRunState, 'waiting' | 'interrupted' | 'ambiguous' | 'failed'>;
  readonly approvals: readonly string[];
  readonly failure?: StepFailure;
}

export type StepEnd =
  /** The next step runs, with these values. */
  | {readonly type: 'next'; readonly values: Values}
  | {readonly type: 'returned'; readonly value: unknown}
  | {readonly type: 'failed'; readonly failure: StepFailure}
  | Stopped;

export function next(values: Values): StepEnd {
  return {type: 'next', values};
}

export function failedAt(step: string, {code, message, details}: ToolFailure): StepEnd {
  return {type: 'failed', failure: {code, message, ...(details && {details}), step}};
}

/** Ends the run as failed: unlike a failure, no program can catch it. */
export function endedAt(step: string, {code, message, details}: ToolFailure): Stopped {
  return {type: 'stopped', state: 'failed', approvals: [], failure: {code, message, ...(details && {details}), step}};
}

const severest: readonly Stopped['state'][] = ['waiting', 'interrupted', 'ambiguous', 'failed'];

/** Of steps that ran at the same time: the first end that is not `next`, but a stop before all others. */
export function firstEnd(ends: readonly StepEnd[]): Exclude<StepEnd, {readonly type: 'next'}> | undefined {
  const stops = ends.filter((end) => end.type === 'stopped');
  const [worst] = stops.toSorted((one, other) => severest.indexOf(other.state) - severest.indexOf(one.state));
  if (worst) return {...worst, approvals: stops.flatMap(({approvals}) => approvals)};
  const failed = ends.find((end) => end.type === 'failed');
  return failed ?? ends.find((end) => end.type === 'returned');
}
