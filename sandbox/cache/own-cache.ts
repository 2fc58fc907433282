// The folder of this user in which guests' systems and results of trials are kept. It must not be another user's: a guest would start from that user's files.
import {lstatSync, mkdirSync, realpathSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {failed, ok, type Outcome} from '../outcome.ts';

/** Absolute, with every symlink resolved: no call may write to it. */
export function ownCacheFolder(): string {
  return cacheIn(realpathSync(tmpdir()));
}

export function ownCache(parent: string = tmpdir()): Outcome<string, string> {
  const uid = process.geteuid?.() ?? 0;
  const folder = cacheIn(parent);
  mkdirSync(folder, {recursive: true, mode: 0o700});
  const entry = lstatSync(folder);
  const isOwn = entry.isDirectory() && entry.uid === uid && (entry.mode & 0o077) === 0;
  return isOwn ? ok(folder) : failed(`\`${folder}\` belongs to another user: remove it`);
}

function cacheIn(parent: string): string {
  return join(parent, `lumenflow-guests-${process.geteuid?.() ?? 0}`);
}
