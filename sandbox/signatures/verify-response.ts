import {ok, type Outcome} from '../outcome.ts';
import {checkContentDigest} from './content-digest.ts';
import {checkCreated} from './check-created.ts';
import {readRequiredField, type MessageFields} from './message-fields.ts';
import {responseComponents} from './response-components.ts';
import type {VerifyingKeys} from './signing-key.ts';
import {verifyComponents} from './verify-components.ts';

export interface ReceivedResponse {
  readonly status: number;
  readonly headers: MessageFields;
  /** As received. */
  readonly body: Uint8Array;
}

export interface ResponseVerification {
  /** Of the worker that was asked, and of no other. */
  readonly keys: VerifyingKeys;
  /** In milliseconds. */
  readonly now: number;
}

export interface VerifiedResponse {
  readonly keyId: string;
}

/** A response to exactly this request, of which `signRequest` made the headers. */
export function verifyResponse(
  {status, headers, body}: ReceivedResponse,
  requestHeaders: MessageFields,
  {keys, now}: ResponseVerification,
): Outcome<VerifiedResponse> {
  const signature = readRequiredField(requestHeaders, 'signature');
  if (!signature.ok) return signature;
  const signatureInput = readRequiredField(requestHeaders, 'signature-input');
  if (!signatureInput.ok) return signatureInput;
  const request = {signature: signature.value, signatureInput: signatureInput.value};
  const covered = responseComponents({status, fields: headers}, request);
  if (!covered.ok) return covered;
  const verified = verifyComponents({
    fields: headers,
    components: covered.value.components,
    times: ['created'],
    texts: [],
    keys,
    unknownKeyHelp: 'on the worker, run `lumenflow worker key`; on the host, write its output into workspace.yaml',
  });
  if (!verified.ok) return verified;
  const intact = checkContentDigest(covered.value.digest, body);
  if (!intact.ok) return intact;
  const {keyId, times} = verified.value;
  const current = checkCreated(times.get('created') ?? 0, now);
  return current.ok ? ok({keyId}) : current;
}
