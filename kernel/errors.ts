// The kernel's error codes. Expected failures are values with a code of `CallErrorCode` or `TransitionErrorCode`. A promise that the
// kernel cannot keep is thrown as `KernelError`.
import type {Problem} from './problem.ts';

/** Codes of `ToolOutput.error` from the kernel itself. A handler's `ToolError` can have others. */
export type CallErrorCode =
  | 'TOOL_NOT_FOUND'
  | 'SCOPE_DENIED'
  | 'POLICY_DENIED'
  | 'APPROVAL_REQUIRED'
  | 'APPROVAL_LIMIT_REACHED'
  | 'PREVIEW_FAILED'
  | 'SPEC_TAMPERED'
  | 'INVALID_INPUT'
  | 'INVALID_OUTPUT'
  | 'TOOL_EXECUTION_FAILED'
  | 'TASK_NOT_ACTIVE'
  | 'EVIDENCE_UNAVAILABLE'
  | 'TOOL_TIMEOUT'
  | 'TOOL_CANCELLED'
  | 'TOOL_CRASHED'
  | 'LIMIT_EXCEEDED'
  | 'WRITE_CONFLICT'
  | 'CHANGES_PARKED'
  | 'NOT_REVERTIBLE'
  | 'SANDBOX_UNAVAILABLE'
  | 'BACKEND_UNAVAILABLE';

/** Codes of failed transitions of tasks and approvals. */
export type TransitionErrorCode =
  | 'INVALID_INPUT'
  | 'TASK_EXISTS'
  | 'TASK_NOT_FOUND'
  | 'TASK_NOT_CLAIMABLE'
  | 'TASK_NOT_ACTIVE'
  | 'TASK_NOT_READY'
  | 'TASK_SPEC_CHANGED'
  | 'TASK_OF_ANOTHER_PACK'
  | 'CLAIM_CHECK_FAILED'
  | 'COMPLETION_CHECK_FAILED'
  | 'LANE_NOT_FOUND'
  | 'WIP_LIMIT_REACHED'
  | 'POLICY_DENIED'
  | 'APPROVAL_REQUIRED'
  | 'APPROVAL_LIMIT_REACHED'
  | 'APPROVAL_NOT_FOUND'
  | 'APPROVAL_RESOLVED'
  | 'APPROVAL_EXPIRED'
  | 'APPROVAL_WITHDRAWN'
  | 'APPROVAL_OF_ANOTHER'
  | 'SELF_APPROVAL'
  | 'APPROVER_NOT_NAMED'
  | 'PASSKEY_REQUIRED'
  | 'PASSKEY_INVALID'
  | 'PASSKEY_TAKEN'
  | 'PASSKEY_NOT_FOUND'
  | 'NAME_TAKEN'
  | 'PERSON_NOT_FOUND'
  | 'GROUP_NOT_FOUND'
  | 'PERSON_INACTIVE'
  | 'WRITE_CONFLICT'
  | 'CHANGES_NOT_KEPT'
  | 'EVIDENCE_HELD'
  | 'HOLD_NOT_FOUND'
  | 'SPEC_TAMPERED'
  | 'EVIDENCE_UNAVAILABLE';

/** Codes of `KernelError`: a promise that the kernel could not keep. */
export type KernelErrorCode =
  | 'LOAD_FAILED'
  | 'RUNTIME_CLOSED'
  | 'LOG_CORRUPT'
  | 'LOG_UNAVAILABLE'
  | 'LOCK_UNAVAILABLE'
  | 'BROKEN_INVARIANT';

export class KernelError extends Error {
  readonly code: KernelErrorCode;
  readonly problems: readonly Problem[];
  /** A brand: unlike `instanceof` it works across realms and duplicated packages. */
  readonly isKernelError: true = true;

  constructor(code: KernelErrorCode, message: string, options: {cause?: unknown; problems?: readonly Problem[]} = {}) {
    super(message, options.cause === undefined ? {} : {cause: options.cause});
    this.name = 'KernelError';
    this.code = code;
    this.problems = options.problems ?? [];
  }
}

/**
 * A rule of the workspace deleted a content between its storage and the record that refers to it. Nothing was recorded: store the
 * content again, and repeat.
 */
export class ContentDeleted extends KernelError {
  readonly isContentDeleted: true = true;

  constructor() {
    super('LOG_UNAVAILABLE', 'a content of the call was deleted by `retention.contents` before it was recorded: retry');
  }
}

export function isContentDeleted(value: unknown): value is ContentDeleted {
  return isKernelError(value) && 'isContentDeleted' in value;
}

/** Unlike `instanceof`, this works across realms and duplicated packages. */
export function isKernelError(value: unknown): value is KernelError {
  return typeof value === 'object' && value !== null && 'isKernelError' in value;
}
