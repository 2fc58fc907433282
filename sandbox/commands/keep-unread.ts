import type {Readable} from 'node:stream';

/** Buffers output until it is read after the result: execa drops output that has no listener at first. */
export function keepUnread(streams: readonly (Readable | null | undefined)[]): () => void {
  const onReadable = (): void => undefined;
  for (const stream of streams) stream?.on('readable', onReadable);
  return () => {
    for (const stream of streams) stream?.off('readable', onReadable);
  };
}
