import {join} from 'node:path';
import type {Change} from './change.ts';
import {lookAtOnce} from './entry.ts';

/** Whether somebody else has made the very directory that the call made: what both put into it is compared by itself. */
export function isMadeMeanwhile(root: string, {path, kind, after}: Change): boolean {
  if (kind !== 'created' || after?.kind !== 'directory') return false;
  const now = lookAtOnce(join(root, path));
  return now?.kind === 'directory' && now.mode === after.mode && now.uid === after.uid && now.gid === after.gid;
}
