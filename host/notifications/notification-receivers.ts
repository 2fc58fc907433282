// The receivers of workspace.yaml with their addresses and keys, which the environment can give.
import type {NotificationReceiver, WorkspaceSpec} from '@lumenflow/schemas';
import {urlProblem} from './allowed-address.ts';
import {readMailServer, type MailServer} from './mail-server.ts';
import {readWebhookSecret} from './sign-message.ts';

export interface HttpReceiver {
  readonly kind: 'http';
  readonly url: URL;
  readonly key: Buffer | undefined;
  readonly isInternal: boolean;
}

interface EmailReceiver {
  readonly kind: 'email';
  readonly server: MailServer;
  readonly from: string;
  readonly to: readonly string[];
  readonly sign_in: {readonly user: string; readonly password: string} | undefined;
  readonly isInternal: boolean;
}

export type OpenReceiver = HttpReceiver | EmailReceiver;

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

type Value = (name: string) => string;

function open(receiver: NotificationReceiver, env: Readonly<Record<string, string | undefined>>): OpenReceiver {
  const {id, email} = receiver;
  const value: Value = (name) => {
    const found = env[name];
    if (found) return found;
    throw new ReceiverError(
      `the receiver \`${id}\` needs the environment variable ${name}: set it, and restart the host`,
    );
  };
  return email ? openEmail(receiver, email, value) : openHttp(receiver, value);
}

function openHttp(receiver: NotificationReceiver, value: Value): HttpReceiver {
  const {id, url, url_env, secret_env, internal = false} = receiver;
  const text = url ?? value(url_env ?? '');
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  const problem = parsed ? urlProblem(parsed) : 'it is not an address';
  if (!parsed || problem !== undefined) throw unusableAddress(id, problem ?? '');
  const secret = secret_env === undefined ? undefined : readWebhookSecret(value(secret_env));
  if (secret?.ok === false) {
    throw new ReceiverError(
      `the secret ${secret_env ?? ''} of the receiver \`${id}\` cannot be used: ${secret.problem}`,
    );
  }
  return {kind: 'http', url: parsed, key: secret?.value, isInternal: internal};
}

function openEmail(
  {id, url, url_env, internal = false}: NotificationReceiver,
  {from, to, user_env, password_env}: NonNullable<NotificationReceiver['email']>,
  value: Value,
): EmailReceiver {
  const server = readMailServer(url ?? value(url_env ?? ''));
  if (!server.ok) throw unusableAddress(id, server.problem);
  const sign_in =
    user_env === undefined || password_env === undefined
      ? undefined
      : {user: value(user_env), password: value(password_env)};
  return {kind: 'email', server: server.value, from, to, sign_in, isInternal: internal};
}

function unusableAddress(id: string, problem: string): ReceiverError {
  return new ReceiverError(`the address of the receiver \`${id}\` cannot be used: ${problem}`);
}
