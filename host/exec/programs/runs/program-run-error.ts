// A run could not be resumed. It is thrown, because the scheduler retries the run like after any other exception.
import type {ToolFailure} from '@lumenflow/schemas';
import {isFinalFailure} from '../../../engine/is-final-failure.ts';

export class ProgramRunError extends Error {
  readonly failure: ToolFailure;
  /** For engines: whether another attempt would fail in the same way. */
  readonly is_final: boolean;

  constructor(failure: ToolFailure) {
    super(failure.message);
    this.name = 'ProgramRunError';
    this.failure = failure;
    this.is_final = isFinalFailure(failure);
  }
}
