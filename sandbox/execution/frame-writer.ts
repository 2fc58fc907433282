// Writes a call's frames as fast as its handler reads them. While the handler does not read, its requests are not read either, so
// unread answers do not accumulate in the host.
import type {Duplex} from 'node:stream';
import {setImmediate as turn} from 'node:timers/promises';
import {encodeContentFrame, encodeFrame} from '@lumenflow/pack-sdk/wire';
import type {WireMessage} from '@lumenflow/schemas';

export interface FrameWriter {
  /**
   * Resolves once the handler has read it, apart from what the pipe buffers, or will read nothing more. `content`: what the value
   * of a response contains as base64. Throws RangeError if it is too large for a frame.
   */
  send(message: WireMessage, content?: Uint8Array): Promise<void>;
}

export function createFrameWriter(wire: Duplex): FrameWriter {
  /** The end of frames that are written in parts, or that wait for them. */
  let last: Promise<void> | undefined;
  let draining: Promise<void> | undefined;

  async function drained(): Promise<void> {
    draining ??= new Promise<void>((resolve) => {
      wire.pause();
      const done = (): void => {
        wire.off('drain', done).off('close', done);
        draining = undefined;
        wire.resume();
        resolve();
      };
      wire.once('drain', done).once('close', done);
    });
    await draining;
  }

  async function write(bytes: Uint8Array): Promise<void> {
    if (wire.writable && !wire.write(bytes)) await drained();
  }

  async function writeParts(parts: Iterable<Uint8Array>): Promise<void> {
    for (const part of parts) {
      await write(part);
      await turn();
    }
  }

  return {
    send(message, content) {
      const isContent = content !== undefined && message.type === 'response';
      if (last === undefined && !isContent) return write(encodeFrame(message));
      const parts = isContent ? encodeContentFrame(message.id, content) : [encodeFrame(message)];
      const mine = (last ?? Promise.resolve()).then(() => writeParts(parts));
      last = mine;
      return mine.finally(() => {
        if (last === mine) last = undefined;
      });
    },
  };
}
