// The newest `created` that a worker has accepted from a host whose clock is ahead. It must outlive the worker, because the nonces do
// not: a restarted worker refuses what was created until then.
import {closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync} from 'node:fs';

/** In seconds; 0 if nothing is stored. */
export function readNewestCreated(file: string): number {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 10) || 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

/** On disk when it returns. */
export function keepNewestCreated(file: string, created: number): void {
  const staging = `${file}.new`;
  const handle = openSync(staging, 'w', 0o600);
  try {
    writeSync(handle, `${created}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(staging, file);
}
