// Work at once and again at every change of files, until Ctrl-C.
import {watchPacks} from '../reload/index.ts';
import type {CliContext} from './command.ts';

export interface WatchControls {
  /** Makes the work run once more. */
  touch(): void;
  stop(): void;
}

/**
 * `listen` may hear other reasons to work or to stop; it gives the function that ends it. Rejects with what the work
 * throws, and where files cannot be watched.
 */
export async function watchUntilStopped(
  {signal}: Pick<CliContext, 'signal'>,
  paths: readonly string[],
  work: () => Promise<void>,
  listen?: (controls: WatchControls) => () => void,
): Promise<void> {
  let end: (error?: Error) => void = () => undefined;
  const ended = new Promise<void>((resolve, reject) => {
    end = (error) => (error ? reject(error) : resolve());
  });
  const stop = (): void => end();
  signal.addEventListener('abort', stop);
  const watch = watchPacks({paths, onChange: () => work().catch(end), onError: end});
  let unlisten: (() => void) | undefined;
  try {
    await watch.ready;
    watch.touch();
    unlisten = listen?.({touch: () => watch.touch(), stop});
    if (!signal.aborted) await ended;
  } finally {
    unlisten?.();
    signal.removeEventListener('abort', stop);
    await watch.close();
  }
}
