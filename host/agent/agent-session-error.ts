// The session could not be started or gone on with: the pack's or the kernel's answer.
import type {ToolFailure} from '@lumenflow/schemas';

export class AgentSessionError extends Error {
  readonly failure: ToolFailure;

  constructor(failure: ToolFailure) {
    super(failure.message);
    this.name = 'AgentSessionError';
    this.failure = failure;
  }
}
