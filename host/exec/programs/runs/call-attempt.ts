// One attempt at the call of a step, as its receipt or its output describes it.
import type {Receipt} from '@lumenflow/kernel';
import type {ToolFailure, ToolOutput} from '@lumenflow/schemas';

export interface CallAttempt {
  readonly receipt_id?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly started_at: number;
  readonly ended_at?: number | undefined;
  /**
   * waits: it did not run, because a person must approve it. parked: its changes wait for a person. prevented: it did not run, for a reason that passes. unknown: it may have happened, but its outcome was
   * not recorded. cancelled: it was ended early.
   */
  readonly end: 'succeeded' | 'failed' | 'waits' | 'parked' | 'prevented' | 'cancelled' | 'unknown';
  /** The data of the tool. */
  readonly data?: unknown;
  /** Where the data is kept, if they were not read. */
  readonly output_ref?: string | undefined;
  readonly error?: ToolFailure;
  readonly request_id?: string | undefined;
}

/** Reasons of the host, not of the call. */
const passing: ReadonlySet<string> = new Set([
  'SPEC_TAMPERED',
  'EVIDENCE_UNAVAILABLE',
  'TASK_NOT_ACTIVE',
  'APPROVAL_LIMIT_REACHED',
]);

export function attemptOfReceipt({receipt_id, started, finished}: Receipt): CallAttempt {
  const attempt = {receipt_id, started_at: Date.parse(started.timestamp)};
  if (finished === undefined) return {...attempt, end: 'unknown'};
  const {result, error_code: code = 'TOOL_EXECUTION_FAILED', error_message: message = '', output_ref} = finished;
  const ended = {...attempt, ended_at: Date.parse(finished.timestamp)};
  if (result === 'success') return {...ended, end: 'succeeded', output_ref};
  const request_id = finished.changes?.request_id;
  return {...ended, end: result === 'crashed' ? 'unknown' : endOf(code), error: {code, message}, request_id};
}

export function attemptOfOutput(
  {success, data, error, metadata}: ToolOutput,
  times: Pick<CallAttempt, 'started_at' | 'ended_at'>,
): CallAttempt {
  const attempt = {...times, receipt_id: metadata?.receipt_id};
  if (success) return {...attempt, end: 'succeeded', data: data ?? null};
  const failure = error ?? {code: 'TOOL_EXECUTION_FAILED', message: 'the tool returned no error'};
  const request = failure.details?.['request_id'];
  return {
    ...attempt,
    end: endOf(failure.code),
    error: {code: failure.code, message: failure.message},
    ...(typeof request === 'string' && {request_id: request}),
  };
}

function endOf(code: string): CallAttempt['end'] {
  if (code === 'APPROVAL_REQUIRED') return 'waits';
  if (code === 'CHANGES_PARKED') return 'parked';
  if (code === 'TOOL_CRASHED') return 'unknown';
  if (code === 'TOOL_CANCELLED') return 'cancelled';
  return passing.has(code) ? 'prevented' : 'failed';
}
