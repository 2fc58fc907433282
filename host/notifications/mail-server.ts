// The address of a mail server: smtps://HOST, or smtp://HOST with STARTTLS.
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import {isLoopbackUrl} from './allowed-address.ts';

export interface MailServer {
  /** A name, or a numeric address without brackets. */
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte. */
  readonly isTls: boolean;
  readonly isLoopback: boolean;
}

const portOfTls = 465;
const portOfSubmission = 587;

/** The problem contains no part of the address. */
export function readMailServer(text: string): Outcome<MailServer, string> {
  const [, scheme = '', rest = ''] = /^(smtps?):\/\/([^/?#]*)\/?$/iu.exec(text) ?? [];
  if (rest === '') return failed('it must be smtps://HOST or smtp://HOST, with or without a port');
  if (rest.includes('@')) return failed('it contains a name or a password: use `user_env` and `password_env`');
  // Only addresses of known schemes have their host in one spelling.
  const web = `http://${rest}/`;
  const port = /:(\d+)$/u.exec(rest)?.[1];
  if (!URL.canParse(web) || port === '0') return failed('it is not an address');
  const url = new URL(web);
  const isTls = scheme.toLowerCase() === 'smtps';
  return ok({
    host: url.hostname.replaceAll(/^\[|\]$/gu, ''),
    port: port === undefined ? defaultPort(isTls) : Number(port),
    isTls,
    isLoopback: isLoopbackUrl(url),
  });
}

function defaultPort(isTls: boolean): number {
  return isTls ? portOfTls : portOfSubmission;
}
