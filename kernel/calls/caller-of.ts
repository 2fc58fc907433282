import {isIdentifier} from '../names/identifier.ts';
import type {DecidedCall, ReceivedCall} from './call.ts';

/** The caller if it is known, else the claimant of the call's task. */
export function callerOf({
  request: {context},
  run,
}: Pick<Partial<DecidedCall> & ReceivedCall, 'request' | 'run'>): string {
  const by: unknown = context.by ?? run?.by;
  return typeof by === 'string' && isIdentifier(by) ? by : 'unknown';
}
