// A message about a request that a receiver did not accept, as an operator reads it.
import type {ToolFailure} from '@lumenflow/schemas';

export class NotificationError extends Error {
  override readonly name = 'NotificationError';
  readonly failure: ToolFailure;

  /** `isOver`: the message is not sent again. `detail` contains neither the address nor a secret. */
  constructor(receiver: string, detail: string, isOver: boolean) {
    const next = isOver ? 'it is not tried again' : 'it is tried again later';
    super(`the receiver \`${receiver}\` of approvals was not notified: ${detail}; ${next}`);
    const remedy = `check \`approvals.notify\` in workspace.yaml, and whether the receiver \`${receiver}\` answers`;
    this.failure = {code: 'NOTIFICATION_FAILED', message: this.message, details: {remedy}};
  }
}
