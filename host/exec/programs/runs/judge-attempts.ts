// What the attempts at a step's call so far mean for the run. The same records lead to the same judgement in every process, so a
// resumed run takes the path that it took before.
import type {ToolFailure} from '@lumenflow/schemas';
import type {CallAttempt} from './call-attempt.ts';

export interface CallTerms {
  /** Whether another call has no further effect: the tool reads, or is idempotent. */
  readonly isRepeatable: boolean;
  /** Milliseconds since the epoch. */
  readonly deadline?: number | undefined;
  readonly now: number;
}

export type Judgement =
  | {readonly next: 'make'}
  | {readonly next: 'use'; readonly attempt: CallAttempt}
  | {readonly next: 'fail'; readonly error: ToolFailure}
  | {readonly next: 'wait'; readonly attempt: CallAttempt}
  /** A person must settle it. */
  | {readonly next: 'settle'; readonly attempt: CallAttempt};

/** A tool whose process crashes each time is not called without end. */
const crashesMax = 3;

export function judgeAttempts(attempts: readonly CallAttempt[], terms: CallTerms): Judgement {
  const last = attempts.at(-1);
  if (last === undefined) return make(terms);
  switch (last.end) {
    case 'succeeded':
    case 'failed':
      return {next: 'use', attempt: last};
    case 'parked':
      return {next: 'wait', attempt: last};
    case 'cancelled':
      return isBefore(last.ended_at ?? 0, terms) ? repeat(attempts, last, terms) : late;
    case 'unknown':
      return repeat(attempts, last, terms);
    case 'waits':
    case 'prevented':
      return make(terms);
    default:
      return last.end satisfies never;
  }
}

function repeat(attempts: readonly CallAttempt[], last: CallAttempt, terms: CallTerms): Judgement {
  if (!terms.isRepeatable) return {next: 'settle', attempt: last};
  const crashes = attempts.filter(({end}) => end === 'unknown').length;
  return crashes < crashesMax ? make(terms) : {next: 'fail', error: crashed(crashes)};
}

function make(terms: CallTerms): Judgement {
  return isBefore(terms.now, terms) ? {next: 'make'} : late;
}

function isBefore(time: number, {deadline = Infinity}: CallTerms): boolean {
  return time < deadline;
}

const late: Judgement = {next: 'fail', error: {code: 'TOOL_TIMEOUT', message: 'the steps did not end in time'}};

function crashed(crashes: number): ToolFailure {
  return {code: 'TOOL_CRASHED', message: `${crashes} calls ended without an outcome`};
}
