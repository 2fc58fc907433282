// Runs work immediately and at every change of files, until Ctrl-C.
import {watchPacks} from '../reload/index.ts';
import type {CliContext} from './command.ts';

export interface WatchControls {
  /** Runs the work once more. */
  touch(): void;
  stop(): void;
}

/**
 * `listen` can listen for other reasons to run or to stop, and returns a function that ends it. Rejects if the work throws or
 * files cannot be watched.
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
