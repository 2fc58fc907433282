// One attempt to send a message: no redirects, bounded time, and of the answer only its status.
import {request as httpRequest, type IncomingMessage} from 'node:http';
import {request as httpsRequest} from 'node:https';
import {guardedLookup, refusedAddress, type AddressKind} from './allowed-address.ts';

export interface MessagePost {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Kinds of addresses that it may be sent to. */
  readonly allowed: ReadonlySet<AddressKind>;
  readonly signal: AbortSignal;
}

export type PostResult =
  | {readonly state: 'delivered'; readonly detail: string}
  /** `isFinal`: another attempt cannot help. */
  | {
      readonly state: 'failed';
      readonly detail: string;
      readonly isFinal: boolean;
      readonly retryAfterMs?: number | undefined;
    };

const timeoutMs = 15_000;
const retryAfterMostMs = 3_600_000;

export async function postMessage({url, headers, body, allowed, signal}: MessagePost): Promise<PostResult> {
  const name = url.hostname.replace(/^\[|\]$/gu, '');
  const refused = refusedAddress(name, allowed);
  if (refused !== undefined) return {state: 'failed', detail: refused, isFinal: true};
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  try {
    return await new Promise<PostResult>((resolve, reject) => {
      const request = send(url, {
        method: 'POST',
        headers: {
          ...headers,
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
          'user-agent': 'LumenFlow',
        },
        lookup: guardedLookup(allowed),
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        agent: false,
      });
      request.on('error', reject);
      // Without an error, for example when the receiver switches to another protocol.
      request.once('close', () => reject(new Error('no response')));
      request.once('response', (response) => {
        resolve(resultOf(response));
        // Its body is never read, whatever its length.
        response.destroy();
      });
      request.end(body);
    });
  } catch (error) {
    return {state: 'failed', detail: reasonOf(error), isFinal: false};
  }
}

function resultOf({statusCode = 0, headers}: IncomingMessage): PostResult {
  const detail = `status ${statusCode}`;
  if (statusCode >= 200 && statusCode < 300) return {state: 'delivered', detail};
  if (statusCode >= 300 && statusCode < 400)
    return {state: 'failed', detail: `${detail}: redirects are not followed`, isFinal: true};
  const retryAfterMs = retryAfterOf(headers['retry-after'] ?? '');
  // Gone, as Standard Webhooks say. Other refusals can be mended at the receiver.
  return {state: 'failed', detail, isFinal: statusCode === 410, retryAfterMs};
}

/** Seconds, or a date. Undefined if it is neither, or in the past. */
function retryAfterOf(text: string): number | undefined {
  const ms = /^\d+$/u.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return ms > 0 ? Math.min(ms, retryAfterMostMs) : undefined;
}

/** Without the address, which can be a secret. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no answer';
  if (error.name === 'AddressRefused') return 'the name resolves to an address that is not allowed';
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'no answer in time';
  return 'code' in error && typeof error.code === 'string' ? error.code : 'no answer';
}
