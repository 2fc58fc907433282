// Why a program that lasts has ended before its span.
import type {CallFacts} from '../backends/sandbox-call.ts';
import type {ServerRecord} from '../backends/lasting-request.ts';

export type ServerEnd = NonNullable<ServerRecord['restarted_after']>;

/** Of one that did not survive a call. */
export function serverEnd({timedOut, aborted, output}: Pick<CallFacts, 'timedOut' | 'aborted' | 'output'>): ServerEnd {
  if (timedOut) return 'timeout';
  if (aborted) return 'cancellation';
  return output.error?.code === 'LIMIT_EXCEEDED' ? 'limit' : 'crash';
}
