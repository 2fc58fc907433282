// One attempt to send an e-mail. This file opens the connection, so that the rules for addresses apply to it as they do to HTTP messages.
import {once} from 'node:events';
import {connect, type Socket} from 'node:net';
import type {SMTPTransportOptions} from 'nodemailer/lib/smtp-transport';
import {guardedLookup, refusedAddress, type AddressKind} from './allowed-address.ts';
import type {EmailMessage} from './email-message.ts';
import type {MailServer} from './mail-server.ts';
import type {PostResult} from './post-message.ts';

export interface EmailSending {
  readonly server: MailServer;
  readonly sign_in: {readonly user: string; readonly password: string} | undefined;
  readonly message: EmailMessage;
  /** Kinds of addresses that it may be sent to. */
  readonly allowed: ReadonlySet<AddressKind>;
  readonly signal: AbortSignal;
  /** A certificate to trust, as PEM; default: those that Node trusts. */
  readonly ca?: string;
  /** For all steps; default 30 s. */
  readonly timeoutMs?: number;
}

const authenticationFailed = 535;

export async function sendEmail(sending: EmailSending): Promise<PostResult> {
  const {server, message, allowed, timeoutMs = 30_000} = sending;
  const refused = refusedAddress(server.host, allowed);
  if (refused !== undefined) return {state: 'failed', detail: refused, isFinal: true};
  const signal = AbortSignal.any([sending.signal, AbortSignal.timeout(timeoutMs)]);
  let socket: Socket | undefined;
  try {
    socket = connect({host: server.host, port: server.port, lookup: guardedLookup(allowed)});
    const broken = brokenConnection(socket);
    await once(socket, 'connect', {signal});
    const sent = await Promise.race([deliver({...sending, signal}, socket), broken]);
    return {state: 'delivered', detail: deliveredDetail(sent, message.to.length)};
  } catch (error) {
    return signal.aborted ? {state: 'failed', detail: 'no answer in time', isFinal: false} : failureOf(error);
  } finally {
    socket?.destroy();
  }
}

/** Rejects when the connection fails. An error before the client is loaded would have no listener, and end this process. */
function brokenConnection(socket: Socket): Promise<never> {
  const broken = new Promise<never>((_resolve, reject) => {
    socket.on('error', (cause) => reject(Object.assign(new Error(cause.message, {cause}), {code: 'ESOCKET'})));
  });
  // It also fails while nothing waits for it.
  broken.catch(() => undefined);
  return broken;
}

interface Sent {
  readonly response: string;
  readonly rejected: readonly unknown[];
}

async function deliver({message, signal, ...how}: EmailSending, socket: Socket): Promise<Sent> {
  // Only hosts that send e-mail load the client.
  const {createTransport} = await import('nodemailer');
  const {to, from, inReplyTo, date, ...rest} = message;
  return await createTransport(transportOptions(how, socket)).sendMail({
    ...rest,
    date: new Date(date),
    from: {name: 'LumenFlow', address: from},
    to: to.map((address) => ({name: '', address})),
    envelope: {from, to: [...to]},
    ...(inReplyTo !== undefined && {inReplyTo, references: inReplyTo}),
    headers: {'Auto-Submitted': 'auto-generated'},
    xMailer: false,
    signal,
  });
}

function transportOptions(
  {server, sign_in, ca}: Omit<EmailSending, 'message' | 'signal'>,
  connection: Socket,
): SMTPTransportOptions {
  const {host, port, isTls, isLoopback} = server;
  return {
    host,
    port,
    secure: isTls,
    // Without TLS, anyone on the way could read the message and its link.
    requireTLS: !isTls && !isLoopback,
    ignoreTLS: !isTls && isLoopback,
    ...(ca !== undefined && {tls: {ca}}),
    ...(sign_in && {auth: {user: sign_in.user, pass: sign_in.password}, forceAuth: true}),
    getSocket: (_options, use) => use(null, {connection}),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function deliveredDetail({response, rejected}: Sent, count: number): string {
  const status = `status ${response.slice(0, 3)}`;
  return rejected.length === 0 ? status : `${status}: ${rejected.length} of ${count} recipients were refused`;
}

/** Without the text of the server, which can contain addresses. */
function failureOf(error: unknown): PostResult {
  const {name, code, responseCode}: {name?: string; code?: unknown; responseCode?: unknown} = Object(error);
  const detail = detailOf({name, code});
  if (typeof responseCode !== 'number') return {state: 'failed', detail, isFinal: false};
  // A wrong password can be mended at the server. Other refusals are final, as SMTP defines.
  const isFinal = responseCode >= 500 && responseCode !== authenticationFailed && code !== 'EAUTH';
  return {state: 'failed', detail: `status ${responseCode}: ${detail}`, isFinal};
}

const reasons: ReadonlyMap<unknown, string> = new Map([
  ['EAUTH', 'the mail server did not accept the user and the password'],
  ['EENVELOPE', 'the mail server refused the sender or all recipients'],
  ['EMESSAGE', 'the mail server refused the message'],
  ['ESOCKET', 'the connection was lost, or the certificate of the mail server is not trusted'],
  ['ETLS', 'the connection could not be encrypted'],
]);

function detailOf({name, code}: {readonly name: string | undefined; readonly code: unknown}): string {
  if (name === 'AddressRefused') return 'the name resolves to an address that is not allowed';
  return reasons.get(code) ?? (typeof code === 'string' ? code : 'no answer');
}
