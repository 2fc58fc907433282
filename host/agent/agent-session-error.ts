// The session could not be started or resumed: the error of the pack or the kernel. It is thrown, because it ends a run of many
// steps, and a scheduler retries the run like after any other exception.
import type {ToolFailure} from '@lumenflow/schemas';

export class AgentSessionError extends Error {
  readonly failure: ToolFailure;

  constructor(failure: ToolFailure) {
    super(failure.message);
    this.name = 'AgentSessionError';
    this.failure = failure;
  }
}
