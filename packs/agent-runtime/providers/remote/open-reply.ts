// Sends one request to a model server, retries while a retry can help, and stops on timeout.
import {setTimeout as sleep} from 'node:timers/promises';
import type {ToolError} from '@lumenflow/pack-sdk';
import {causeOf} from './cause-of.ts';
import {startPatience, type Patience} from './patience.ts';
import {providerError, statusError} from './provider-error.ts';
import {readText, type OpenReply} from './read-text.ts';
import {isWorthRetrying, retryDelay} from './retry-delay.ts';

export interface ServerRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Part of the headers. Must not appear in an error. */
  readonly key: string | undefined;
  /** How often to retry a failed request. */
  readonly retries: number;
  /** Maximum silence of the server. */
  readonly timeout_ms: number;
  readonly signal: AbortSignal;
}

type Attempt = OpenReply | {readonly error: ToolError; readonly retryAfterMs: number | undefined};

/** Throws ToolError with a ProviderErrorCode. */
export async function openReply(request: ServerRequest): Promise<OpenReply> {
  for (let attempt = 0; ; attempt++) {
    const answer = await attemptOnce(request, attempt);
    if ('response' in answer) return answer;
    if (attempt >= request.retries || answer.retryAfterMs === undefined) throw answer.error;
    await sleep(answer.retryAfterMs, undefined, {signal: request.signal});
  }
}

async function attemptOnce(request: ServerRequest, attempt: number): Promise<Attempt> {
  const {url, headers, body, timeout_ms, signal} = request;
  const patience = startPatience(timeout_ms, signal);
  const delay = (answered?: Headers): number | undefined =>
    retryDelay(attempt, answered, {now: Date.now(), random: Math.random()});
  try {
    const response = await fetch(url, {
      method: 'POST',
      // There is no next request, and an open connection would delay the end of the call.
      headers: {'content-type': 'application/json', connection: 'close', ...headers},
      body: JSON.stringify(body),
      // The workspace decides where the key is sent, not the server.
      redirect: 'manual',
      signal: patience.signal,
    });
    if (response.ok) return {response, patience};
    const error = statusError(response.status, messageIn(await errorText(response, patience), request.key));
    return {error, retryAfterMs: isWorthRetrying(response.status) ? delay(response.headers) : undefined};
  } catch (error) {
    patience.end();
    if (signal.aborted) throw error;
    if (patience.isOver) return {error: patience.error(), retryAfterMs: delay()};
    const message = `the model server at \`${new URL(url).host}\` cannot be reached: ${causeOf(error)}`;
    return {error: providerError('PROVIDER_UNAVAILABLE', message), retryAfterMs: delay()};
  }
}

const errorBytesMax = 64 * 1024;

async function errorText(response: Response, patience: Patience): Promise<string> {
  try {
    return await readText({response, patience}, errorBytesMax);
  } catch {
    // The status is enough for the error.
    return '';
  }
}

/** Both protocols reply `{error: {message}}`; any other text is returned unchanged. */
function messageIn(text: string, key: string | undefined): string {
  const reported = key === undefined || key === '' ? text : text.replaceAll(key, '(the key)');
  try {
    const {error} = Object(JSON.parse(reported)) as {readonly error?: {readonly message?: unknown}};
    return typeof error?.message === 'string' ? error.message : reported;
  } catch {
    // Proxies reply with HTML.
    return reported;
  }
}
