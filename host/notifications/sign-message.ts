// Signatures of Standard Webhooks (https://www.standardwebhooks.com): HMAC-SHA256 over id, time and body.
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import {createHmac} from 'node:crypto';

export interface SignedMessage {
  /** Equal for all attempts, so that the receiver can drop duplicates. */
  readonly id: string;
  /** Seconds since the epoch. */
  readonly time: number;
  readonly body: string;
}

const bytesMin = 24;
const bytesMax = 64;

/** The key in a secret `whsec_…`; the problem names no part of it. */
export function readWebhookSecret(secret: string): Outcome<Buffer, string> {
  const text = secret.startsWith('whsec_') ? secret.slice('whsec_'.length) : '';
  const key = Buffer.from(text, 'base64');
  const isExact = /^[A-Za-z0-9+/]+={0,2}$/u.test(text) && key.length >= bytesMin && key.length <= bytesMax;
  return isExact ? ok(key) : failed(`it is not \`whsec_\` and ${bytesMin} to ${bytesMax} bytes as base64`);
}

export function signatureHeaders(key: Buffer | undefined, {id, time, body}: SignedMessage): Record<string, string> {
  const headers = {'webhook-id': id, 'webhook-timestamp': String(time)};
  if (key === undefined) return headers;
  const signature = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');
  return {...headers, 'webhook-signature': `v1,${signature}`};
}
