import {failed, ok, type Outcome} from '../outcome.ts';
import {checkCreated} from './check-created.ts';
import {checkContentDigest} from './content-digest.ts';
import {readField, type MessageFields} from './message-fields.ts';
import type {NonceCache, UsedNonce} from './nonce-cache.ts';
import {requestComponents} from './request-components.ts';
import type {VerifyingKeys} from './signing-key.ts';
import {verifyComponents} from './verify-components.ts';

export interface ReceivedHead {
  readonly method: string;
  /** The one value of `Host` or `:authority`. */
  readonly authority: string;
  /** Path and query as in the request line. */
  readonly target: string;
  readonly headers: MessageFields;
}

export interface RequestVerification {
  /** Of the hosts that are served. */
  readonly keys: VerifyingKeys;
  /** Ids of the worker's own keys. */
  readonly recipients: readonly string[];
  readonly nonces: NonceCache;
  /** In milliseconds. */
  readonly now: number;
}

/** Of a request whose content is still to come. */
export interface VerifiedHead {
  readonly request: VerifiedRequest;
  /** What the content must be. */
  readonly digest: string;
}

export interface VerifiedRequest {
  /** The key of the host. */
  readonly keyId: string;
  /** The id of the worker's key that the host trusts: the one to sign the response with. */
  readonly recipient: string;
  /** The fields as they were sent. */
  readonly signature: string;
  readonly signatureInput: string;
}

/** The longest time between `created` and `expires`, in seconds. */
const windowMax = 300;

/**
 * A request that a trusted host has signed for this worker, now, and that was not accepted before. Its content is not read yet, so that
 * strangers cannot make the worker read any.
 */
export function verifyRequestHead(
  {method, authority, target, headers}: ReceivedHead,
  {keys, recipients, nonces, now}: RequestVerification,
): Outcome<VerifiedHead> {
  const host = readField(headers, 'host');
  if (!host.ok) return host;
  if (host.value !== undefined && host.value !== authority) {
    const message = `the request is for \`${authority}\` and for \`${host.value}\``;
    return failed({message, help: 'send one authority'});
  }
  const covered = requestComponents({method, authority, target, fields: headers});
  if (!covered.ok) return covered;
  const {components, digest, recipient} = covered.value;
  const verified = verifyComponents({
    fields: headers,
    components,
    times: ['created', 'expires'],
    texts: ['nonce'],
    keys,
    unknownKeyHelp:
      'on the host, run `lumenflow workers key`; on the worker, run `lumenflow worker trust` with its output',
  });
  if (!verified.ok) return verified;
  const {keyId, times, texts, signature, signatureInput} = verified.value;
  if (!recipients.includes(recipient)) {
    const message = `the request is for the worker with the key \`${recipient}\`, and this worker has ${recipients.join(', ') || 'none'}`;
    return failed({
      message,
      help: 'on the worker, run `lumenflow worker key`; on the host, write its output into workspace.yaml',
    });
  }
  const used = {
    keyId,
    nonce: texts.get('nonce') ?? '',
    created: times.get('created') ?? 0,
    expires: times.get('expires') ?? 0,
  };
  const timely = checkTimes(used, now);
  if (!timely.ok) return timely;
  const accepted = nonces.use(used, now);
  return accepted.ok ? ok({request: {keyId, recipient, signature, signatureInput}, digest}) : accepted;
}

/** The whole request, with its content as it was received. */
export function verifyRequestBody({request, digest}: VerifiedHead, body: Uint8Array): Outcome<VerifiedRequest> {
  const intact = checkContentDigest(digest, body);
  return intact.ok ? ok(request) : intact;
}

function checkTimes({nonce, created, expires}: UsedNonce, now: number): Outcome<true> {
  if (nonce.length < 16 || nonce.length > 64) {
    return failed({message: `the nonce has ${nonce.length} characters`, help: 'use 16 to 64 random characters'});
  }
  if (expires <= created || expires - created > windowMax) {
    const message = `the signature is valid for ${expires - created} s`;
    return failed({message, help: `set \`expires\` 1 to ${windowMax} s after \`created\``});
  }
  const second = Math.floor(now / 1000);
  const current = checkCreated(created, now);
  if (!current.ok) return current;
  if (second < expires) return ok(true);
  const message = `the signature expired ${second - expires} s ago by the clock of the worker, ${new Date(now).toISOString()}`;
  return failed({message, help: 'sign the request again; if this repeats, set the clocks of both machines'});
}
