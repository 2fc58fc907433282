import type {Readable} from 'node:stream';

/** What comes meanwhile waits for who reads it once the result was called: execa drops what nobody listens to at first. */
export function keepUnread(streams: readonly (Readable | null | undefined)[]): () => void {
  const onReadable = (): void => undefined;
  for (const stream of streams) stream?.on('readable', onReadable);
  return () => {
    for (const stream of streams) stream?.off('readable', onReadable);
  };
}
