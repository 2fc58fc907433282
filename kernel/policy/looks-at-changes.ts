import {isRecord} from './matcher-site.ts';

/** Whether a `when` has a condition on changes anywhere, or with `part` one of that name. */
export function looksAtChanges(when: unknown, part?: string): boolean {
  if (Array.isArray(when)) return when.some((item) => looksAtChanges(item, part));
  if (!isRecord(when)) return false;
  const {changes} = when;
  if (changes !== undefined && (part === undefined || (isRecord(changes) && Object.hasOwn(changes, part)))) return true;
  return ['all', 'any', 'not'].some((name) => looksAtChanges(when[name], part));
}
