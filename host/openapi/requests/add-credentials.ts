// Adds the secrets of a call to its request. They come from the host's environment, and never from the input.
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import type {ServiceCall} from '@lumenflow/kernel/adapters';
import type {PlannedCredential} from '../document/operation-plan.ts';
import type {HttpRequest} from './build-request.ts';
import type {OauthTokens} from './oauth-tokens.ts';

export interface CredentialedRequest {
  readonly request: HttpRequest;
  /** Texts that were made of the secrets, which no output may contain. */
  readonly secrets: readonly string[];
}

export async function addCredentials(
  request: HttpRequest,
  credentials: readonly PlannedCredential[],
  call: Pick<ServiceCall, 'server' | 'env' | 'network' | 'signal'>,
  tokens: OauthTokens,
): Promise<Outcome<CredentialedRequest, string>> {
  const url = new URL(request.url);
  const headers = {...request.headers};
  const secrets: string[] = [];
  for (const credential of credentials) {
    if (credential.kind === 'key') addKey(credential, call.env[credential.token] ?? '', {url, headers});
    else if (credential.kind === 'bearer') headers['authorization'] = `Bearer ${call.env[credential.token] ?? ''}`;
    else if (credential.kind === 'basic') {
      const pair = `${call.env[credential.username] ?? ''}:${call.env[credential.password] ?? ''}`;
      const text = Buffer.from(pair).toString('base64');
      secrets.push(text);
      headers['authorization'] = `Basic ${text}`;
    } else {
      const token = await tokens.token(credential, call);
      if (!token.ok) return failed(token.problem);
      secrets.push(token.value);
      headers['authorization'] = `Bearer ${token.value}`;
    }
  }
  return ok({request: {...request, url, headers}, secrets});
}

function addKey(
  {in: place, name}: Extract<PlannedCredential, {readonly kind: 'key'}>,
  key: string,
  {url, headers}: {readonly url: URL; readonly headers: Record<string, string>},
): void {
  if (place === 'header') headers[name.toLowerCase()] = key;
  else if (place === 'query') {
    const others = url.search
      .slice(1)
      .split('&')
      .filter((pair) => pair !== '' && !pair.startsWith(`${encodeURIComponent(name)}=`));
    url.search = [...others, `${encodeURIComponent(name)}=${encodeURIComponent(key)}`].join('&');
  } else headers['cookie'] = [headers['cookie'], `${name}=${encodeURIComponent(key)}`].filter(Boolean).join('; ');
}
