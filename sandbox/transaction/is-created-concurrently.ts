import type {Change} from './change.ts';
import type {LookWithin} from './look-within.ts';

/** Whether another program has created the same directory as the call. The contents of both are compared separately. */
export function isCreatedConcurrently(look: LookWithin, {path, kind, after}: Change): boolean {
  if (kind !== 'created' || after?.kind !== 'directory') return false;
  const now = look(path);
  return now?.kind === 'directory' && now.mode === after.mode && now.uid === after.uid && now.gid === after.gid;
}
