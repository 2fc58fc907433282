// The streams of a call in a thread: its wire, as bytes in both directions, and what the module prints.
import {Duplex, Readable} from 'node:stream';
import type {ToThread} from './thread-messages.ts';

export interface ThreadStreams {
  readonly wire: Duplex;
  readonly stdout: Readable;
  readonly stderr: Readable;
}

export function openThreadStreams(send: (message: ToThread) => void): ThreadStreams {
  const wire = new Duplex({
    read: () => undefined,
    write(chunk: Uint8Array, _encoding, done) {
      // A copy, since a part of a buffer would be sent with all of it.
      send({kind: 'wire', bytes: new Uint8Array(chunk)});
      done();
    },
  });
  // What is sent to a call that has ended is dropped.
  wire.on('error', () => wire.destroy());
  const printed = (): Readable => new Readable({read: () => undefined});
  return {wire, stdout: printed(), stderr: printed()};
}
