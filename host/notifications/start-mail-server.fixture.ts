// A mail server that keeps what it receives.
import {once} from 'node:events';
import type {AddressInfo} from 'node:net';
import {SMTPServer, type SMTPServerOptions} from 'smtp-server';
import {onTestFinished} from 'vitest';
import type {MailServer} from './mail-server.ts';

export interface ReceivedEmail {
  readonly from: string;
  readonly to: readonly string[];
  readonly user: string | undefined;
  readonly isEncrypted: boolean;
  readonly content: string;
}

export interface StartedMailServer {
  readonly received: readonly ReceivedEmail[];
  readonly server: MailServer;
}

/** Accepts the password `right`. A recipient `refused@…` is answered with 550, one of `busy@…` with 450. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<StartedMailServer> {
  const received: ReceivedEmail[] = [];
  const mail = new SMTPServer({
    authOptional: true,
    disabledCommands: options.key === undefined ? ['STARTTLS'] : [],
    allowInsecureAuth: true,
    onAuth: ({username = '', password}, _session, answer) =>
      password === 'right' ? answer(null, {user: username}) : answer(new Error('the password is wrong')),
    onRcptTo: ({address}, _session, answer) => answer(refusalOf(address)),
    onData: (stream, session, answer) => {
      let content = '';
      stream.setEncoding('utf8').on('data', (part: string) => (content += part));
      stream.once('end', () => {
        const {mailFrom, rcptTo} = session.envelope;
        const from = mailFrom === false ? '' : mailFrom.address;
        const user = typeof session.user === 'string' ? session.user : undefined;
        const to = rcptTo.map(({address}) => address);
        received.push({from, to, user, isEncrypted: session.secure, content});
        answer();
      });
    },
    ...options,
  });
  mail.on('error', () => undefined);
  const listener = mail.listen(0, '127.0.0.1');
  onTestFinished(() => new Promise<void>((resolve) => mail.close(resolve)));
  await once(listener, 'listening');
  const {port} = listener.address() as AddressInfo;
  const isTls = options.secure === true;
  return {received, server: {host: '127.0.0.1', port, isTls, isLoopback: true}};
}

function refusalOf(address: string): Error | null {
  const responseCode = address.startsWith('refused@') ? 550 : 450;
  const isRefused = address.startsWith('refused@') || address.startsWith('busy@');
  return isRefused ? Object.assign(new Error(`no mail for ${address}`), {responseCode}) : null;
}
