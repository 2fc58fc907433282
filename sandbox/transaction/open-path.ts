import {openSync} from 'node:fs';

/** O_PATH of asm-generic/fcntl.h. */
const flag = 0o10000000;

/** A descriptor that only leads to what lies there: it reads and writes nothing. */
export function openPath(path: string): number {
  return openSync(path, flag);
}
