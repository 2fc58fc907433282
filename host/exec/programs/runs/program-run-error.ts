// A run could not be resumed. It is thrown, because the scheduler retries the run like after any other exception.
import type {ToolFailure} from '@lumenflow/schemas';

/** Decisions, and records that do not change by themselves. */
const final: ReadonlySet<string> = new Set([
  'POLICY_DENIED',
  'SCOPE_DENIED',
  'SPEC_TAMPERED',
  'TASK_NOT_FOUND',
  'INVALID_INPUT',
]);

export class ProgramRunError extends Error {
  readonly failure: ToolFailure;
  /** For engines: whether another attempt would fail in the same way. */
  readonly is_final: boolean;

  constructor(failure: ToolFailure) {
    super(failure.message);
    this.name = 'ProgramRunError';
    this.failure = failure;
    this.is_final = final.has(failure.code);
  }
}
