import {PassThrough} from 'node:stream';
import {expect, test} from 'vitest';
import {encodeMessage, frameWriterOf, readFrames, type FrameKind} from './guest-channel.ts';

async function bytesOf(frames: readonly (readonly [FrameKind, Uint8Array])[]): Promise<Buffer> {
  const stream = new PassThrough({highWaterMark: 100 * 1024 ** 2});
  const write = frameWriterOf(stream);
  for (const [kind, payload] of frames) await write(kind, payload);
  return stream.read() as Buffer;
}

async function* inChunks(bytes: Buffer, chunkBytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

test.each([1, 4, 7, 4096, 10_000_000])(
  'frames arrive whole and in order, in chunks of %d bytes',
  async (chunkBytes) => {
    const large = Buffer.alloc(chunkBytes === 1 ? 1000 : 600_000, 'x');
    const sent = await bytesOf([
      ['message', encodeMessage({type: 'up'})],
      ['wire', large],
      ['stdout', Buffer.from('out')],
    ]);
    const seen = new Map<FrameKind, string>();
    await readFrames(inChunks(sent, chunkBytes), (kind, payload) => {
      seen.set(kind, (seen.get(kind) ?? '') + payload.toString());
    });
    expect([...seen]).toEqual([
      ['message', '{"type":"up"}'],
      ['wire', large.toString()],
      ['stdout', 'out'],
    ]);
  },
);

test.each([
  ['of a kind that does not exist', Buffer.from([9, 0, 0, 0, 0])],
  ['that is too large', Buffer.from([0, 255, 255, 255, 255])],
])('a frame %s is an error', async (_what, bytes) => {
  await expect(readFrames(inChunks(bytes, 100), () => undefined)).rejects.toThrow(RangeError);
});
