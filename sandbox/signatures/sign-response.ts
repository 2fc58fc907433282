import {SandboxError} from '../sandbox-error.ts';
import {contentDigest} from './content-digest.ts';
import {responseComponents, type RequestSignature} from './response-components.ts';
import {signComponents} from './sign-components.ts';
import type {SigningKey} from './signing-key.ts';

export interface ResponseToSign {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface ResponseSigning {
  /** The worker's key that the request names as its recipient. */
  readonly key: SigningKey;
  /** In milliseconds. */
  readonly now: number;
}

/** The headers to send: those given, and those of the signature, which only this request's sender accepts. */
export function signResponse(
  {status, headers, body}: ResponseToSign,
  request: RequestSignature,
  {key, now}: ResponseSigning,
): Readonly<Record<string, string>> {
  const fields = {...headers, 'content-digest': contentDigest(body)};
  const covered = responseComponents({status, fields}, request);
  if (!covered.ok) throw new SandboxError('BROKEN_INVARIANT', covered.problem.message);
  return {...fields, ...signComponents(covered.value.components, [['created', Math.floor(now / 1000)]], key)};
}
