// Waits until what was launched has mounted its view.
import type {Duplex} from 'node:stream';
import {announcedAt} from '../backends/transaction-view.ts';
import {keepUnread} from '../commands/keep-unread.ts';

export interface AwaitedView {
  /** False if the launched process ended first. */
  readonly isMounted: Promise<boolean>;
  /** Call it once the view was inspected. Until then nothing that the command writes is read, and nothing is lost. */
  isLookedAt(): void;
}

/** By descriptor. */
export function awaitView(pipes: readonly (Duplex | null | undefined)[]): AwaitedView {
  const isLookedAt = keepUnread(pipes.slice(1, announcedAt));
  return {isMounted: announcement(pipes[announcedAt]), isLookedAt};
}

async function announcement(pipe: Duplex | null | undefined): Promise<boolean> {
  if (pipe === null || pipe === undefined) return false;
  const isMounted = await new Promise<boolean>((resolve) => {
    const onEnd = (): void => resolve(false);
    pipe
      .once('data', () => resolve(true))
      .once('end', onEnd)
      .once('close', onEnd);
  });
  pipe.destroy();
  return isMounted;
}
