// Reads a reply's text as it arrives, up to a limit, so that a server cannot fill a sandbox's memory.
import {isToolError} from '@lumenflow/pack-sdk';
import {causeOf} from './cause-of.ts';
import type {Patience} from './patience.ts';
import {providerError} from './provider-error.ts';

/** A 2xx response whose body is not read yet. The reader of the body ends `patience`. */
export interface OpenReply {
  readonly response: Response;
  readonly patience: Patience;
}

/**
 * Throws ToolError PROVIDER_RESPONSE_INVALID above `bytesMax`, PROVIDER_TIMEOUT if the server falls silent, and
 * PROVIDER_STREAM_BROKEN if the connection ends.
 */
export async function* readChunks({response, patience}: OpenReply, bytesMax: number): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      patience.renew();
      bytes += chunk.byteLength;
      if (bytes > bytesMax) throw tooLarge(bytesMax);
      yield decoder.decode(chunk, {stream: true});
    }
    yield decoder.decode();
  } catch (error) {
    if (isToolError(error) || (patience.signal.aborted && !patience.isOver)) throw error;
    if (patience.isOver) throw patience.error();
    const message = `the connection to the model server ended during the reply (${causeOf(error)})`;
    throw providerError('PROVIDER_STREAM_BROKEN', message);
  } finally {
    patience.end();
  }
}

export async function readText(reply: OpenReply, bytesMax: number): Promise<string> {
  let text = '';
  for await (const chunk of readChunks(reply, bytesMax)) text += chunk;
  return text;
}

function tooLarge(bytesMax: number): Error {
  const message = `the model server's reply has more than ${bytesMax} bytes`;
  return providerError('PROVIDER_RESPONSE_INVALID', message, {bytes_max: bytesMax});
}
