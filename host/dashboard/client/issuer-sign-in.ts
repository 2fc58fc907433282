// Signing in at the issuer, from the page's side. The secret stays in this tab, so that only this tab can finish what it started: an
// address with somebody else's code is of no use here.
import type {HttpRefusal, HttpSignedIn, HttpSignIn, HttpSignInOffer} from '@lumenflow/schemas';

const secretKey = 'lumenflow-sign-in';
const returnPath = '/signed-in';

interface Attempt {
  readonly secret: string;
  /** The page that the person wanted. */
  readonly hash: string;
}

async function ask<T>(path: string, body?: object): Promise<T> {
  const response = await fetch(path, {
    cache: 'no-store',
    credentials: 'omit',
    ...(body && {method: 'POST', body: JSON.stringify(body), headers: {'content-type': 'application/json'}}),
  });
  const answer = (await response.json()) as T & Partial<HttpRefusal>;
  if (response.ok) return answer;
  throw new Error(answer.error?.message ?? response.statusText);
}

export async function isSignInOffered(): Promise<boolean> {
  return (await ask<HttpSignInOffer>('/v1/sign-in')).offered;
}

/** Leaves the page. */
export async function beginSignIn(): Promise<void> {
  const bits = crypto.getRandomValues(new Uint8Array(32));
  const secret = btoa(String.fromCodePoint(...bits))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
  const {url} = await ask<HttpSignIn>('/v1/sign-in', {secret});
  const attempt: Attempt = {secret, hash: location.hash};
  sessionStorage.setItem(secretKey, JSON.stringify(attempt));
  location.assign(url);
}

export interface Returned {
  /** Resolves with the person's token. */
  finish(): Promise<string>;
}

/** If the issuer has just returned to this tab: removes the code from the address, and returns what is left to do. */
export function takeReturn(): Returned | undefined {
  if (location.pathname !== returnPath) return undefined;
  const query = location.search;
  const stored = sessionStorage.getItem(secretKey);
  sessionStorage.removeItem(secretKey);
  const attempt = stored === null ? undefined : (JSON.parse(stored) as Attempt);
  history.replaceState(undefined, '', `/${attempt?.hash ?? ''}`);
  return {
    async finish() {
      if (!attempt) throw new Error('this tab did not start a sign-in: start it here');
      return (await ask<HttpSignedIn>('/v1/sign-in/finish', {secret: attempt.secret, query})).token;
    },
  };
}
