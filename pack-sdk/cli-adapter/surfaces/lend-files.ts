// Files in place of the standard streams, for a child that is waited for synchronously.
import {closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {CliRun} from '../run/cli-run.ts';

export interface LentFiles {
  /** What the child gets for a standard stream; the same file whenever it is asked for. */
  descriptor(fd: 0 | 1 | 2): number;
  /** Prints what the child wrote, and removes the files. */
  takeBack(): void;
}

export function lendFiles(run: CliRun): LentFiles {
  const folder = mkdtempSync(join(tmpdir(), 'lumenflow-cli-'));
  const open = new Map<0 | 1 | 2, number>();
  const pathOf = (fd: number): string => join(folder, String(fd));
  return {
    descriptor(fd) {
      const known = open.get(fd);
      if (known !== undefined) return known;
      if (fd === 0) writeFileSync(pathOf(0), run.stdin.take());
      const opened = openSync(pathOf(fd), fd === 0 ? 'r' : 'a');
      open.set(fd, opened);
      return opened;
    },
    takeBack() {
      for (const [fd, opened] of open) {
        closeSync(opened);
        if (fd !== 0) run.output[fd].print(readFileSync(pathOf(fd)));
      }
      rmSync(folder, {recursive: true});
    },
  };
}
