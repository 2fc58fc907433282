// The package's one error class. What a caller can meet is a value with a problem; what means a broken promise is thrown.

export type SandboxErrorCode =
  /** A caller of this package broke its contract, or this package did. */
  | 'BROKEN_INVARIANT'
  /** Files differ from what was recorded of them. */
  | 'CONTENT_MISMATCH'
  /** The system refused an operation on a file or process. */
  | 'SYSTEM_REFUSED'
  /** Changes of a call were not applied, or only in part. */
  | 'NOT_APPLIED';

export class SandboxError extends Error {
  readonly code: SandboxErrorCode;

  constructor(code: SandboxErrorCode, message: string, options: {readonly cause?: unknown} = {}) {
    super(message, options.cause === undefined ? {} : {cause: options.cause});
    this.name = 'SandboxError';
    this.code = code;
  }
}
