// Access tokens of OAuth 2 client credentials, kept in memory until shortly before they expire.
import {cutText, failed, ok, type Outcome} from '@lumenflow/kernel';
import type {ServiceCall} from '@lumenflow/kernel/adapters';
import type {PlannedCredential} from '../document/operation-plan.ts';
import {urlEncodedBody} from './form-body.ts';
import type {HttpTransport} from './http-transport.ts';

type ClientCredentials = Extract<PlannedCredential, {readonly kind: 'oauth2'}>;
type TokenCall = Pick<ServiceCall, 'server' | 'env' | 'network' | 'signal'>;

export interface OauthTokens {
  /** The problem says why there is none. */
  token(credential: ClientCredentials, call: TokenCall): Promise<Outcome<string, string>>;
  /** A service has rejected the token. */
  forget(token: string): void;
}

const marginMs = 30_000;
const usualMs = 300_000;

/** `monotonic`: milliseconds since an arbitrary point, so that a clock which changes keeps no token longer. */
export function createOauthTokens(transport: Pick<HttpTransport, 'send'>, monotonic: () => number): OauthTokens {
  const tokens = new Map<string, {readonly token: string; readonly until: number}>();
  return {
    forget(token) {
      for (const [key, entry] of tokens) if (entry.token === token) tokens.delete(key);
    },
    async token({token_url, scopes, client_id, client_secret}, {server, env, network, signal}) {
      const url = new URL(token_url, server);
      const [id = '', secret = ''] = [env[client_id], env[client_secret]];
      const key = JSON.stringify([url.href, id, secret, scopes]);
      const known = tokens.get(key);
      if (known && known.until > monotonic()) return ok(known.token);
      const {content: body, media_type} = urlEncodedBody({
        grant_type: 'client_credentials',
        ...(scopes.length > 0 && {scope: scopes.join(' ')}),
      });
      const pair = [id, secret].map(encodeURIComponent).join(':');
      const headers = {
        accept: 'application/json',
        'content-type': media_type,
        authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
      };
      const {status, content} = await transport.send({method: 'POST', url, headers, body}, network, signal);
      const reply = parsed(content);
      const {access_token: token, expires_in, error} = reply;
      if (status !== 200 || typeof token !== 'string') {
        const why = typeof error === 'string' ? ` (${cutText(error, 100)})` : '';
        return failed(`${url.origin}${url.pathname} returned ${status}${why} instead of an access token`);
      }
      const lifetime = typeof expires_in === 'number' ? expires_in * 1_000 : usualMs;
      tokens.set(key, {token, until: monotonic() + Math.max(0, lifetime - marginMs)});
      return ok(token);
    },
  };
}

function parsed(content: Buffer | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse((content ?? Buffer.alloc(0)).toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    // The status says enough.
    return {};
  }
}
