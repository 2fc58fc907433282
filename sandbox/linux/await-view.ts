// Waits until what was launched has mounted its view.
import type {Duplex} from 'node:stream';
import {announcedAt} from '../backends/transaction-view.ts';
import {keepUnread} from '../commands/keep-unread.ts';

export interface AwaitedView {
  /** False if the launched process ended first. */
  readonly isMounted: Promise<boolean>;
  /** Lets the process that has mounted it become the command. */
  proceed(): void;
  /** Call it once the view was inspected. Until then nothing that the command writes is read, and nothing is lost. */
  isLookedAt(): void;
}

/** By descriptor. */
export function awaitView(pipes: readonly (Duplex | null | undefined)[]): AwaitedView {
  const isLookedAt = keepUnread(pipes.slice(1, announcedAt));
  const pipe = pipes[announcedAt];
  return {isMounted: announcement(pipe), proceed: () => void pipe?.end('\n'), isLookedAt};
}

async function announcement(pipe: Duplex | null | undefined): Promise<boolean> {
  if (pipe === null || pipe === undefined) return false;
  return await new Promise<boolean>((resolve) => {
    const onEnd = (): void => resolve(false);
    pipe
      .once('data', () => resolve(true))
      .once('end', onEnd)
      .once('close', onEnd);
  });
}
