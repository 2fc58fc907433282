import {PassThrough} from 'node:stream';
import {describe, expect, it} from 'vitest';
import {streamTo} from './stream-to.ts';

/** Counts what was asked for, so that a test sees how far the writer went ahead. */
function source(count: number) {
  const asked = {pieces: 0};
  const pieces = async function* (): AsyncGenerator<string> {
    while (asked.pieces < count) {
      asked.pieces += 1;
      yield 'x'.repeat(10);
    }
  };
  return {asked, pieces: pieces()};
}

describe('streamTo', () => {
  it('goes no faster than the reader', async () => {
    const slow = new PassThrough({highWaterMark: 25});
    const {asked, pieces} = source(100);
    const done = streamTo(slow, pieces);
    await new Promise(setImmediate);
    expect(asked.pieces).toBeLessThan(10);
    let read = 0;
    slow.on('data', (chunk: Buffer) => {
      read += chunk.length;
    });
    await done;
    await new Promise(setImmediate);
    expect(read).toBe(1000);
    expect(slow.listenerCount('drain') + slow.listenerCount('close')).toBeLessThanOrEqual(1);
  });

  it('ends when the reader closes the stream', async () => {
    const left = new PassThrough({highWaterMark: 25});
    const {asked, pieces} = source(100);
    const done = streamTo(left, pieces);
    await new Promise(setImmediate);
    left.destroy();
    await done;
    expect(asked.pieces).toBeLessThan(100);
  });

  it('writes to a stream that does not report its buffer', async () => {
    const written: string[] = [];
    await streamTo({write: (text) => written.push(text) < 0}, source(3).pieces);
    expect(written).toHaveLength(3);
  });
});
