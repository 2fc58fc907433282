// The standard input of a run: one source of bytes for `process.stdin`, for reads of descriptor 0 and for children.
import {Readable} from 'node:stream';

export interface GivenStdin {
  /** At most `length` bytes; none at the end. */
  take(length?: number): Buffer;
  /** What `process.stdin` is inside the run. */
  readonly stream: Readable;
}

export function createGivenStdin(given: string | Uint8Array): GivenStdin {
  const bytes = Buffer.from(given as string);
  let offset = 0;
  const take = (length = bytes.length): Buffer => {
    const taken = bytes.subarray(offset, offset + length);
    offset += taken.length;
    return taken;
  };
  const stream = new Readable({
    read(size) {
      const taken = take(size);
      this.push(taken.length === 0 ? null : taken);
    },
  });
  // As on a pipe; a stream without a handle cannot keep the process alive.
  const itself = (): Readable => stream;
  return {take, stream: Object.assign(stream, {fd: 0, ref: itself, unref: itself})};
}
