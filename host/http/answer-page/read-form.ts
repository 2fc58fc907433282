// The body of a form, within a size limit.
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import type {IncomingMessage} from 'node:http';
import {refuse, type Reply} from '../reply.ts';

const bytesMax = 16_384;

export async function readForm(incoming: IncomingMessage): Promise<Outcome<URLSearchParams, Reply>> {
  const [type = ''] = (incoming.headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() !== 'application/x-www-form-urlencoded')
    return failed(refuse('UNSUPPORTED_MEDIA_TYPE', 'send the form of the page'));
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > bytesMax) return failed(refuse('BODY_TOO_LARGE', `the form is larger than ${bytesMax} bytes`));
    chunks.push(chunk);
  }
  return ok(new URLSearchParams(Buffer.concat(chunks).toString('utf8')));
}
