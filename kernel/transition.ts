// The result of a transition of a task or an approval, in the shape of a tool's output.
import type {ToolFailure} from '@lumenflow/schemas';
import type {TransitionErrorCode} from './errors.ts';

export type TransitionFailure = ToolFailure & {readonly code: TransitionErrorCode};

export type TransitionResult<T> =
  | {readonly success: true; readonly data: T}
  | {readonly success: false; readonly error: TransitionFailure};

export function succeed<T>(data: T): TransitionResult<T> {
  return {success: true, data};
}

export function fail(
  code: TransitionErrorCode,
  message: string,
  details?: Record<string, unknown>,
): {readonly success: false; readonly error: TransitionFailure} {
  return {success: false, error: details === undefined ? {code, message} : {code, message, details}};
}
