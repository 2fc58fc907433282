// One attempt to notify a receiver: by HTTP, or by e-mail.
import type {DueNotification} from '@lumenflow/kernel';
import {hash} from 'node:crypto';
import {isLoopbackUrl, type AddressKind} from './allowed-address.ts';
import {emailMessage} from './email-message.ts';
import type {MessageTerms} from './message-text.ts';
import {notificationMessage} from './notification-message.ts';
import type {HttpReceiver, OpenReceiver} from './notification-receivers.ts';
import {postMessage, type PostResult} from './post-message.ts';
import {sendEmail} from './send-email.ts';
import {signatureHeaders} from './sign-message.ts';

type Sending = Omit<MessageTerms, 'now'> & {readonly signal: AbortSignal};

export async function sendNotification(
  due: DueNotification,
  receiver: OpenReceiver,
  {signal, ...rest}: Sending,
): Promise<PostResult> {
  const terms = {...rest, now: new Date().toISOString()};
  const allowed = allowedAddresses(receiver);
  if (receiver.kind === 'http') return await post(due, receiver, {terms, allowed, signal});
  const {from, to, server, sign_in} = receiver;
  const ids = {id: idOf(due, due.occasion), firstId: idOf(due, 'requested')};
  const message = emailMessage(due, {...terms, ...ids, from, to});
  return await sendEmail({server, sign_in, message, allowed, signal});
}

async function post(
  due: DueNotification,
  {url, key}: HttpReceiver,
  {
    terms,
    ...how
  }: {readonly terms: MessageTerms; readonly allowed: ReadonlySet<AddressKind>; readonly signal: AbortSignal},
): Promise<PostResult> {
  const body = JSON.stringify(notificationMessage(due, terms));
  const time = Math.floor(Date.parse(terms.now) / 1_000);
  return await postMessage({
    url,
    headers: signatureHeaders(key, {id: idOf(due, due.occasion), time, body}),
    body,
    ...how,
  });
}

/** Equal for all attempts. */
function idOf({approval, receiver}: DueNotification, occasion: string): string {
  return `msg_${hash('sha256', JSON.stringify([approval.request_id, receiver.id, occasion])).slice(0, 32)}`;
}

function allowedAddresses(receiver: OpenReceiver): ReadonlySet<AddressKind> {
  const allowed = new Set<AddressKind>(receiver.isInternal ? ['public', 'loopback', 'private'] : ['public']);
  // Only an address that says so is on loopback.
  if (receiver.kind === 'http' ? isLoopbackUrl(receiver.url) : receiver.server.isLoopback) allowed.add('loopback');
  return allowed;
}
