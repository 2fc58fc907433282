import {callStatuses} from '../error-status.ts';

/** The same shape for every outcome of a call. */
export function answersOfCall(shape: string): Readonly<Record<number, string>> {
  return Object.fromEntries(callStatuses.map((status) => [status, shape]));
}
