import type {Change} from './change.ts';
import type {LookWithin} from './look-within.ts';

/** Whether somebody else has made the very directory that the call made: what both put into it is compared by itself. */
export function isMadeMeanwhile(look: LookWithin, {path, kind, after}: Change): boolean {
  if (kind !== 'created' || after?.kind !== 'directory') return false;
  const now = look(path);
  return now?.kind === 'directory' && now.mode === after.mode && now.uid === after.uid && now.gid === after.gid;
}
