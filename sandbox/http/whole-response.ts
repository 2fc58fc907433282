// The response to a request that was sent, once all of it has arrived. Node's client reports some ends without an error: a server that
// switches to another protocol, and a body without a length that a time limit cuts off.
import type {ClientRequest, IncomingMessage} from 'node:http';

export interface WholeResponse {
  readonly head: IncomingMessage;
  readonly body: Buffer;
}

/** Rejects if there is none, or if its body has more bytes. */
export async function wholeResponse(request: ClientRequest, bytesMax: number): Promise<WholeResponse> {
  let problem: Error | undefined;
  // A listener that stays: an error after the head would end this process.
  request.on('error', (error) => (problem ??= error));
  const head = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject);
    request.once('close', () => reject(new Error('the connection ended without an HTTP response')));
  });
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of head as AsyncIterable<Buffer>) {
    bytes += part.length;
    // Leaving the loop closes the connection.
    if (bytes > bytesMax) throw new RangeError(`its response has more than ${bytesMax} bytes`);
    parts.push(part);
  }
  if (problem !== undefined) throw problem;
  return {head, body: Buffer.concat(parts)};
}
