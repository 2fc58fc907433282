// The directories that an overlay keeps a call's writes in, on the workspace's own disk.
import {chmodSync, lstatSync, mkdirSync} from 'node:fs';
import {join} from 'node:path';

/** By a program of the shell each would take longer. What a nested call starts from is there already. */
export function makeLayers(folder: string, mode: number): void {
  mkdirSync(join(folder, 'work'));
  const upper = join(folder, 'up');
  if (lstatSync(upper, {throwIfNoEntry: false}) !== undefined) return;
  mkdirSync(upper);
  chmodSync(upper, mode);
}

/**
 * The kernel makes these without permissions. Where a host was killed they stay for a while, and its user could remove neither
 * them nor the workspace by ordinary programs.
 */
export function openWork(folder: string): void {
  for (const name of ['work/work', 'work/work/incompat', 'work/work/incompat/volatile']) {
    const path = join(folder, name);
    if (lstatSync(path, {throwIfNoEntry: false})?.isDirectory() === true) chmodSync(path, 0o700);
  }
}
