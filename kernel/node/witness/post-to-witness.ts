// One request to a witness. Nothing that it answers can occupy this process: time and bytes are bounded, and redirects are not followed.
import {request as requestHttp, type IncomingMessage} from 'node:http';
import {request as requestHttps} from 'node:https';

const timeoutMs = 10_000;
/** Cosignature lines of a witness with several keys have a few hundred bytes each. */
const answerBytesMax = 64 * 1024;

export interface WitnessResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** Rejects if there is no complete answer within 10 seconds, or it is longer than 64 KiB. */
export async function postToWitness(url: string, body: string, signal: AbortSignal): Promise<WitnessResponse> {
  const target = new URL(`${url.replace(/\/+$/u, '')}/add-checkpoint`);
  const bytes = Buffer.from(body);
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const start = target.protocol === 'https:' ? requestHttps : requestHttp;
    const headers = {'content-type': 'text/plain; charset=utf-8', 'content-length': bytes.length};
    const request = start(target, {method: 'POST', agent: false, signal: bounded, headers}, resolve);
    request.on('error', reject);
    // Without an error, for example when the server switches to another protocol.
    request.once('close', () => reject(new Error('it closed the connection without a response')));
    request.end(bytes);
  });
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    length += (chunk as Buffer).length;
    if (length > answerBytesMax) throw new Error(`its answer is longer than ${answerBytesMax} bytes`);
    chunks.push(chunk as Buffer);
  }
  return {
    status: response.statusCode ?? 0,
    contentType: (response.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '',
    body: Buffer.concat(chunks).toString(),
  };
}
