// Maps error codes to HTTP statuses. A kernel code without a status does not compile.
import type {CallErrorCode, KernelErrorCode, TransitionErrorCode} from '@lumenflow/kernel';

/** Codes that only the HTTP API returns. */
export type HttpErrorCode =
  | 'UNAUTHENTICATED'
  | 'ROLE_DENIED'
  | 'SESSION_DENIED'
  | 'SESSION_BUSY'
  | 'HOST_DENIED'
  | 'ORIGIN_DENIED'
  | 'ROUTE_NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'RECEIPT_NOT_FOUND'
  | 'BODY_TOO_LARGE'
  | 'BODY_INCOMPLETE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'RATE_LIMITED'
  | 'TOKENS_UNAVAILABLE'
  | 'SIGN_IN_DENIED'
  | 'SIGN_IN_UNAVAILABLE'
  | 'CLOSING'
  | 'INTERNAL';

type AnswerCode = CallErrorCode | TransitionErrorCode;

const statusOfAnswer: Readonly<Record<AnswerCode, number>> = {
  APPROVAL_REQUIRED: 202,
  EVIDENCE_HELD: 409,
  HOLD_NOT_FOUND: 404,
  CHANGES_PARKED: 202,
  INVALID_INPUT: 400,
  POLICY_DENIED: 403,
  SCOPE_DENIED: 403,
  SELF_APPROVAL: 403,
  APPROVER_NOT_NAMED: 403,
  PASSKEY_REQUIRED: 403,
  PASSKEY_INVALID: 403,
  PASSKEY_NOT_FOUND: 404,
  PASSKEY_TAKEN: 409,
  APPROVAL_OF_ANOTHER: 403,
  TASK_OF_ANOTHER_PACK: 403,
  TOOL_NOT_FOUND: 404,
  TASK_NOT_FOUND: 404,
  LANE_NOT_FOUND: 404,
  APPROVAL_NOT_FOUND: 404,
  PERSON_NOT_FOUND: 404,
  GROUP_NOT_FOUND: 404,
  PERSON_INACTIVE: 403,
  NAME_TAKEN: 409,
  TASK_EXISTS: 409,
  TASK_NOT_ACTIVE: 409,
  TASK_NOT_CLAIMABLE: 409,
  TASK_SPEC_CHANGED: 409,
  TASK_NOT_READY: 409,
  CLAIM_CHECK_FAILED: 409,
  COMPLETION_CHECK_FAILED: 409,
  WIP_LIMIT_REACHED: 409,
  APPROVAL_RESOLVED: 409,
  APPROVAL_EXPIRED: 409,
  APPROVAL_WITHDRAWN: 409,
  PREVIEW_FAILED: 409,
  SPEC_TAMPERED: 409,
  WRITE_CONFLICT: 409,
  CHANGES_NOT_KEPT: 409,
  NOT_REVERTIBLE: 409,
  INVALID_OUTPUT: 422,
  TOOL_EXECUTION_FAILED: 422,
  LIMIT_EXCEEDED: 429,
  APPROVAL_LIMIT_REACHED: 429,
  TOOL_CANCELLED: 499,
  TOOL_CRASHED: 502,
  EVIDENCE_UNAVAILABLE: 503,
  SANDBOX_UNAVAILABLE: 503,
  BACKEND_UNAVAILABLE: 503,
  TOOL_TIMEOUT: 504,
};

const statusOfRefusal: Readonly<Record<HttpErrorCode | KernelErrorCode, number>> = {
  BODY_INCOMPLETE: 400,
  UNAUTHENTICATED: 401,
  ROLE_DENIED: 403,
  SESSION_DENIED: 403,
  SIGN_IN_DENIED: 403,
  HOST_DENIED: 403,
  ORIGIN_DENIED: 403,
  ROUTE_NOT_FOUND: 404,
  RECEIPT_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  SESSION_BUSY: 409,
  BODY_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  LOAD_FAILED: 500,
  BROKEN_INVARIANT: 500,
  LOG_CORRUPT: 500,
  TOKENS_UNAVAILABLE: 503,
  SIGN_IN_UNAVAILABLE: 503,
  CLOSING: 503,
  RUNTIME_CLOSED: 503,
  LOG_UNAVAILABLE: 503,
  LOCK_UNAVAILABLE: 503,
};

export type ErrorCode = AnswerCode | HttpErrorCode | KernelErrorCode;

const statuses: Readonly<Record<ErrorCode, number>> = {...statusOfRefusal, ...statusOfAnswer};

export function statusOf(code: ErrorCode): number {
  return statuses[code];
}

/** Every outcome of a tool call. */
export const callStatuses: readonly number[] = [...new Set([200, ...Object.values(statusOfAnswer)])];

/** Of a program that was not started or resumed. */
export function statusOfStart(code: string): number {
  return Object.hasOwn(statuses, code) ? statuses[code as ErrorCode] : 422;
}

/** A handler can fail with its own code: the request was valid, but the tool failed. */
export function statusOfCall(code: string): number {
  return Object.hasOwn(statusOfAnswer, code) ? statusOfAnswer[code as AnswerCode] : 422;
}
