// The one stream between a host and its guest, with frames of several kinds. Their order is kept: output comes before the result
// that follows it, and files before what needs them.
import type {Writable} from 'node:stream';

export type FrameKind = 'message' | 'content' | 'wire' | 'stdout' | 'stderr';

const kinds: readonly FrameKind[] = ['message', 'content', 'wire', 'stdout', 'stderr'];
const headerBytes = 5;
/** Larger payloads travel in several frames. */
const payloadBytes = 256 * 1024;
/** Messages are not split. */
const messageBytesMax = 4 * 1024 * 1024;

export type WriteFrame = (kind: FrameKind, payload: Uint8Array) => Promise<void>;

/** Resolves once the stream can take more. */
export function frameWriterOf(stream: Writable): WriteFrame {
  async function writeOne(kind: FrameKind, payload: Uint8Array): Promise<void> {
    const header = Buffer.alloc(headerBytes);
    header.writeUInt8(kinds.indexOf(kind));
    header.writeUInt32BE(payload.length, 1);
    if (stream.destroyed || stream.write(Buffer.concat([header, payload]))) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        stream.off('drain', done).off('close', done);
        resolve();
      };
      stream.once('drain', done).once('close', done);
    });
  }
  return async (kind, payload) => {
    if (kind === 'message') return await writeOne(kind, payload);
    for (let at = 0; at < payload.length; at += payloadBytes) {
      await writeOne(kind, payload.subarray(at, at + payloadBytes));
    }
  };
}

export function encodeMessage(message: object): Uint8Array {
  return Buffer.from(JSON.stringify(message));
}

/** Reads frames until the stream ends, each once the one before was processed. Throws at the first invalid one. */
export async function readFrames(
  stream: AsyncIterable<Uint8Array>,
  take: (kind: FrameKind, payload: Buffer) => Promise<void> | void,
): Promise<void> {
  let chunks: Uint8Array[] = [];
  let available = 0;
  let needed = headerBytes;
  for await (const chunk of stream) {
    chunks.push(chunk);
    available += chunk.length;
    // A port delivers a page at a time: joined once for a frame, not once for each page.
    if (available < needed) continue;
    let rest = Buffer.concat(chunks);
    for (;;) {
      needed = headerBytes + (rest.length < headerBytes ? 0 : payloadLength(rest));
      if (rest.length < needed || rest.length < headerBytes) break;
      await take(kinds[rest.readUInt8()] as FrameKind, rest.subarray(headerBytes, needed));
      rest = rest.subarray(needed);
    }
    chunks = [rest];
    available = rest.length;
  }
}

function payloadLength(frame: Buffer): number {
  const length = frame.readUInt32BE(1);
  if (kinds[frame.readUInt8()] === undefined || length > messageBytesMax)
    throw new RangeError('the guest sent an invalid frame');
  return length;
}
