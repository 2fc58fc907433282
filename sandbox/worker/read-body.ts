// The whole body of a request: it is verified before any of it is used.
import type {IncomingMessage} from 'node:http';

/** Undefined if it is larger, or ends early. */
export async function readBody(request: IncomingMessage, bytesMax: number): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) return undefined;
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of request as AsyncIterable<Buffer>) {
      bytes += part.length;
      if (bytes > bytesMax) return undefined;
      parts.push(part);
    }
  } catch {
    return undefined;
  }
  return request.complete ? Buffer.concat(parts) : undefined;
}
