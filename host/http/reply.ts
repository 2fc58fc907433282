// A route's answer before it becomes a response.
import type {TransitionFailure, TransitionResult} from '@lumenflow/kernel';
import type {ToolFailure} from '@lumenflow/schemas';
import {statusOf, type ErrorCode} from './error-status.ts';

export interface Reply {
  readonly status: number;
  /** Sent as JSON; a `Verbatim` is sent unchanged. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A body that is text already or arrives over time. */
export class Verbatim {
  readonly content: string | ReadableStream<Uint8Array> | null;

  constructor(content: string | ReadableStream<Uint8Array> | null) {
    this.content = content;
  }
}

export function okReply(body: unknown): Reply {
  return {status: 200, body};
}

export function refuse(code: ErrorCode, message: string, details?: Record<string, unknown>): Reply {
  return {status: statusOf(code), body: {error: details === undefined ? {code, message} : {code, message, details}}};
}

/** Nothing of the request ran: clients, and proxies of several hosts, can repeat it elsewhere. */
export const closingReply: Reply = {
  ...refuse('CLOSING', 'the server is shutting down'),
  headers: {'retry-after': '1'},
};

/** A call or transition that needs approval names its request at the top of its body. */
export function failedReply(error: TransitionFailure): Reply {
  return {status: statusOf(error.code), body: {error, ...requestOf(error)}};
}

export function answer<T>(result: TransitionResult<T>, status: number, shape: (data: T) => unknown): Reply {
  return result.success ? {status, body: shape(result.data)} : failedReply(result.error);
}

export function requestOf(error: ToolFailure): {readonly request_id?: string} {
  const request_id = error.details?.['request_id'];
  return ['APPROVAL_REQUIRED', 'CHANGES_PARKED'].includes(error.code) && typeof request_id === 'string'
    ? {request_id}
    : {};
}

export const unknownPath: Reply = refuse(
  'ROUTE_NOT_FOUND',
  'this path does not exist: `GET /openapi.json` describes all paths',
);
