// Requests to a forge's API with plain fetch. Errors name what the forge said; a token never appears in them.
import {ToolError} from '@lumenflow/pack-sdk';
import type {ForgeReply, SendToForge} from './forge.ts';

export interface ForgeConnection {
  readonly url: string;
  /** Sent with every request, with the token. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Throws ToolErrors FORGE_UNREACHABLE, FORGE_UNAUTHORIZED, FORGE_RATE_LIMITED, FORGE_NOT_FOUND and FORGE_REJECTED. */
export function sendToForge({url, headers, signal}: ForgeConnection): SendToForge {
  return async (method, path, {body, accept = []} = {}) => {
    const init = {
      method,
      headers: {'user-agent': 'lumenflow', ...headers, ...(body && {'content-type': 'application/json'})},
      redirect: 'error' as const,
      signal,
      ...(body && {body: JSON.stringify(body)}),
    };
    const response = await reach(`${url}${path}`, init);
    const reply: ForgeReply = {status: response.status, body: parse(await response.text())};
    if (response.ok || accept.includes(response.status)) return reply;
    throw rejection(reply, response.headers);
  };
}

async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    const {cause, message: said} = error as Error & {
      readonly cause?: {readonly code?: string; readonly message?: string};
    };
    const reason = cause?.code ?? cause?.message ?? said;
    const message = `the forge at ${new URL(url).origin} is unreachable (${reason}): workspace and lane must allow its network`;
    throw new ToolError('FORGE_UNREACHABLE', message, {retryable: true});
  }
}

function rejection({status, body}: ForgeReply, headers: Headers): ToolError {
  const said = messageOf(body);
  const details = {status};
  const isLimited = status === 429 || (status === 403 && headers.get('x-ratelimit-remaining') === '0');
  if (isLimited) {
    return new ToolError('FORGE_RATE_LIMITED', `the forge accepts no more requests now: retry ${waitOf(headers)}`, {
      ...details,
      retryable: true,
    });
  }
  if (status === 401 || status === 403) {
    return new ToolError('FORGE_UNAUTHORIZED', `the forge rejected the token of \`forge.token_env\`: ${said}`, details);
  }
  if (status === 404) {
    const message = `the forge knows no such project or request, or the token may not see it: ${said}`;
    return new ToolError('FORGE_NOT_FOUND', message, details);
  }
  return new ToolError('FORGE_REJECTED', `the forge rejected the request (${status}): ${said}`, details);
}

function waitOf(headers: Headers): string {
  const seconds = Number(headers.get('retry-after'));
  if (seconds > 0) return `in ${seconds} s`;
  const reset = Number(headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset'));
  return reset > 0 ? `after ${new Date(reset * 1000).toISOString()}` : 'later';
}

/** The APIs name it `message` or `error`; a validation error has more in `errors`. */
function messageOf(body: unknown): string {
  const {message, error, errors} = (body ?? {}) as Readonly<Record<string, unknown>>;
  const main = message ?? error;
  const parts = [...(main === undefined ? [] : [textOf(main)]), ...(Array.isArray(errors) ? errors.map(textOf) : [])];
  return parts.length === 0 ? 'no reason given' : parts.join('; ').slice(0, 1000);
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const own = (value as {readonly message?: unknown} | null)?.message;
  return typeof own === 'string' ? own : JSON.stringify(value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
