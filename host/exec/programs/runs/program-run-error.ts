// A run could not be resumed. It is thrown, because the scheduler retries the run like after any other exception.
import type {ToolFailure} from '@lumenflow/schemas';

export class ProgramRunError extends Error {
  readonly failure: ToolFailure;

  constructor(failure: ToolFailure) {
    super(failure.message);
    this.name = 'ProgramRunError';
    this.failure = failure;
  }
}
