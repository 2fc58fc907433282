import {openSync, type PathLike} from 'node:fs';

/** O_PATH of asm-generic/fcntl.h: such a descriptor neither reads nor writes. */
export const pathOnly = 0o10000000;

/** A descriptor that only refers to an entry: the user needs no right to read or write it. */
export function openPath(path: PathLike): number {
  return openSync(path, pathOnly);
}
