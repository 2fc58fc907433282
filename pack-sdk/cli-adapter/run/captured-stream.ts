// One output stream of a run: keeps the first bytes in order, counts the rest as cut off.
import {Writable} from 'node:stream';

export interface CapturedStream {
  /** What `process.stdout` and the console of the run write to. */
  readonly stream: Writable;
  print(bytes: Uint8Array): void;
  /** Drops what comes from now on. */
  mute(): void;
  /** Decoded as a whole, so that a character split over two writes is one. */
  text(): string;
  isTruncated(): boolean;
}

export function createCapturedStream(bytesMax: number): CapturedStream {
  const chunks: Uint8Array[] = [];
  let left = bytesMax;
  let isMuted = false;
  let isTruncated = false;

  function print(bytes: Uint8Array): void {
    if (isMuted) return;
    if (bytes.length > left) isTruncated = true;
    // A copy: the command may use its buffer again.
    if (left > 0) chunks.push(Uint8Array.from(bytes.subarray(0, left)));
    left -= Math.min(left, bytes.length);
  }

  const stream = new Writable({
    // The reader of a pipe would take everything, so no writer must wait for a drain.
    highWaterMark: Number.MAX_SAFE_INTEGER,
    write(chunk: Uint8Array, _encoding, done) {
      print(chunk);
      done();
    },
  });
  return {
    stream,
    print,
    mute() {
      isMuted = true;
    },
    text: () => Buffer.concat(chunks).toString('utf8'),
    isTruncated: () => isTruncated,
  };
}
