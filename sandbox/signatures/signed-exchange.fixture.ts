// A host, a worker, and one request between them; the clock is fixed.
import {generateKeyPairSync, type KeyObject} from 'node:crypto';
import {NonceCache} from './nonce-cache.ts';
import {signRequest, type RequestSigning, type RequestToSign} from './sign-request.ts';
import type {SigningKey} from './signing-key.ts';
import type {Outcome} from '../outcome.ts';
import {
  verifyRequestBody,
  verifyRequestHead,
  type ReceivedHead,
  type RequestVerification,
  type VerifiedRequest,
} from './verify-request.ts';

export interface ReceivedRequest extends ReceivedHead {
  readonly body: Uint8Array;
}

export const now = 1_800_000_000_500;

export interface Party {
  readonly key: SigningKey;
  readonly publicKey: KeyObject;
}

export function makeParty(id: string): Party {
  const {privateKey, publicKey} = generateKeyPairSync('ed25519');
  return {key: {id, privateKey}, publicKey};
}

export const host: Party = makeParty('host+01');
export const worker: Party = makeParty('worker+01');

export const request: RequestToSign = {
  method: 'POST',
  url: new URL('http://worker.example:7070/v1/executions?wait=1'),
  headers: {'content-type': 'application/json', 'idempotency-key': 'r-1'},
  body: Buffer.from('{"tool":"notes:add"}'),
};

export function send(given: Partial<RequestToSign> = {}, signing: Partial<RequestSigning> = {}): ReceivedRequest {
  const sent = {...request, ...given};
  const options = {key: host.key, recipient: worker.key.id, now, nonce: 'n'.repeat(22), ...signing};
  const {method, url, body} = sent;
  return {
    method,
    authority: url.host,
    target: `${url.pathname}${url.search}`,
    headers: {...signRequest(sent, options), host: url.host},
    body,
  };
}

export function receive(
  {body, ...head}: ReceivedRequest,
  given: Partial<RequestVerification> = {},
): Outcome<VerifiedRequest> {
  const verified = verifyRequestHead(head, {
    keys: new Map([[host.key.id, host.publicKey]]),
    recipients: [worker.key.id],
    nonces: new NonceCache({startedAt: now - 100_000, newestCreated: 0, keepNewestCreated: () => undefined}),
    now,
    ...given,
  });
  return verified.ok ? verifyRequestBody(verified.value, body) : verified;
}
