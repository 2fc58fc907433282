// The receivers of workspace.yaml with their addresses and keys, which the environment can give.
import type {NotificationReceiver, WorkspaceSpec} from '@lumenflow/schemas';
import {urlProblem} from './allowed-address.ts';
import {readWebhookSecret} from './sign-message.ts';

export interface OpenReceiver {
  readonly url: URL;
  readonly key: Buffer | undefined;
  readonly isInternal: boolean;
}

/** A receiver cannot be used: the message says which, and what to do. */
export class ReceiverError extends Error {
  override readonly name = 'ReceiverError';
}

/** Throws ReceiverError for the first receiver that cannot be used. */
export function openReceivers(
  {approvals}: Pick<WorkspaceSpec, 'approvals'>,
  env: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, OpenReceiver> {
  const receivers = new Map<string, OpenReceiver>();
  for (const receiver of approvals?.notify ?? []) {
    if (receivers.has(receiver.id)) throw new ReceiverError(`two receivers have the id \`${receiver.id}\`: rename one`);
    receivers.set(receiver.id, open(receiver, env));
  }
  return receivers;
}

function open(receiver: NotificationReceiver, env: Readonly<Record<string, string | undefined>>): OpenReceiver {
  const {id, url, url_env, secret_env, internal = false} = receiver;
  const value = (name: string): string => {
    const found = env[name];
    if (found) return found;
    throw new ReceiverError(
      `the receiver \`${id}\` needs the environment variable ${name}: set it, and restart the host`,
    );
  };
  const text = url ?? value(url_env ?? '');
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  const problem = parsed ? urlProblem(parsed) : 'it is not an address';
  if (!parsed || problem !== undefined) {
    throw new ReceiverError(`the address of the receiver \`${id}\` cannot be used: ${problem ?? ''}`);
  }
  const secret = secret_env === undefined ? undefined : readWebhookSecret(value(secret_env));
  if (secret?.ok === false) {
    throw new ReceiverError(
      `the secret ${secret_env ?? ''} of the receiver \`${id}\` cannot be used: ${secret.problem}`,
    );
  }
  return {url: parsed, key: secret?.value, isInternal: internal};
}
