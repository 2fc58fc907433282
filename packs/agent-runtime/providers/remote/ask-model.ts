// One request to a model server, in any of the protocols, whole or streamed.
import {isToolError} from '@lumenflow/pack-sdk';
import {createParser} from 'eventsource-parser';
import {setTimeout as sleep} from 'node:timers/promises';
import {openReply, type ServerRequest} from './open-reply.ts';
import type {ModelReply, ModelRequest, Protocol} from './protocol.ts';
import {providerError} from './provider-error.ts';
import {readChunks, readText, type OpenReply} from './read-text.ts';
import {retryDelay} from './retry-delay.ts';

export interface ModelServer extends Omit<ServerRequest, 'body' | 'url' | 'headers'> {
  readonly base_url: string;
}

type OnText = (text: string) => Promise<void>;

/** Far above the size of any real turn. */
const replyBytesMax = 16 * 1024 * 1024;

/**
 * `onText` receives streamed text as it arrives. A reply whose connection ends early is requested again, unless `onText` has
 * received a part of it. Throws ToolError with a ProviderErrorCode.
 */
export async function askModel(
  protocol: Protocol,
  server: ModelServer,
  request: ModelRequest,
  onText: OnText,
): Promise<ModelReply> {
  let hasText = false;
  const passOn: OnText = async (text) => {
    hasText = true;
    await onText(text);
  };
  for (let attempt = 0; ; attempt++) {
    try {
      return await askOnce(protocol, server, request, passOn);
    } catch (error) {
      const isBroken = isToolError(error) && error.code === 'PROVIDER_STREAM_BROKEN';
      if (!isBroken || hasText || attempt >= server.retries) throw error;
      const delay = retryDelay(attempt, undefined, {now: Date.now(), random: Math.random()});
      await sleep(delay, undefined, {signal: server.signal});
    }
  }
}

async function askOnce(
  protocol: Protocol,
  {base_url: base, ...server}: ModelServer,
  request: ModelRequest,
  onText: OnText,
): Promise<ModelReply> {
  const reply = await openReply({
    ...server,
    url: urlOf(base, protocol.path),
    headers: protocol.headers(server.key),
    body: protocol.bodyOf(request),
  });
  const body = request.stream ? await readStream(protocol, reply, onText) : await readWhole(reply);
  return understand(() => protocol.read(body));
}

/** An address without a path is the server's root. Both protocols then begin with `/v1`. */
function urlOf(base: string, path: string): string {
  const {origin, pathname} = new URL(base);
  const folder = pathname.replace(/\/+$/u, '');
  return `${origin}${folder === '' ? '/v1' : folder}${path}`;
}

async function readWhole(reply: OpenReply): Promise<unknown> {
  const text = await readText(reply, replyBytesMax);
  return understand(() => JSON.parse(text) as unknown);
}

async function readStream(protocol: Protocol, reply: OpenReply, onText: OnText): Promise<unknown> {
  const assembly = protocol.assemble();
  const events: string[] = [];
  const parser = createParser({onEvent: ({data}) => events.push(data)});
  for await (const chunk of readChunks(reply, replyBytesMax)) {
    parser.feed(chunk);
    for (const data of events.splice(0)) {
      if (data === '[DONE]') continue;
      const text = understand(() => assembly.take(JSON.parse(data)));
      if (text !== '') await onText(text);
    }
  }
  const body = assembly.body();
  if (body !== undefined) return body;
  throw providerError('PROVIDER_STREAM_BROKEN', "the model server's stream ended before the reply was complete");
}

/** Reports everything that cannot be read in the server's reply as one kind of error. */
function understand<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (isToolError(error)) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw providerError('PROVIDER_RESPONSE_INVALID', `the model server's reply is not valid: ${message}`);
  }
}
