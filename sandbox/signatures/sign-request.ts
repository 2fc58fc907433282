import {SandboxError} from '../sandbox-error.ts';
import {contentDigest} from './content-digest.ts';
import {recipientField, requestComponents} from './request-components.ts';
import {signComponents} from './sign-components.ts';
import type {SigningKey} from './signing-key.ts';

export interface RequestToSign {
  readonly method: string;
  readonly url: URL;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface RequestSigning {
  readonly key: SigningKey;
  /** The id of the key of the worker that may accept it. */
  readonly recipient: string;
  /** In milliseconds. */
  readonly now: number;
  /** Random; 16 to 64 characters of base64url. */
  readonly nonce: string;
}

/** Seconds until a request expires. The worker remembers its nonce as long. */
const lifetime = 60;

/** The headers to send: those given, and those of the signature. */
export function signRequest(
  {method, url, headers, body}: RequestToSign,
  {key, recipient, now, nonce}: RequestSigning,
): Readonly<Record<string, string>> {
  const fields = {...headers, 'content-digest': contentDigest(body), [recipientField]: recipient};
  const covered = requestComponents({method, authority: url.host, target: `${url.pathname}${url.search}`, fields});
  if (!covered.ok) throw new SandboxError('BROKEN_INVARIANT', covered.problem.message);
  const created = Math.floor(now / 1000);
  const parameters = [
    ['created', created],
    ['expires', created + lifetime],
    ['nonce', nonce],
  ] as const;
  return {...fields, ...signComponents(covered.value.components, parameters, key)};
}
