import {openSync, type PathLike} from 'node:fs';

/** O_PATH of asm-generic/fcntl.h. */
const flag = 0o10000000;

/** A descriptor that only refers to an entry: it can neither read nor write, and needs no right to. */
export function openPath(path: PathLike): number {
  return openSync(path, flag);
}
