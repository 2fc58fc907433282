import {isRecord} from './is-record.ts';

/** Whether a `when` has a condition on added text anywhere. */
export function looksAtAddedText(when: unknown): boolean {
  if (Array.isArray(when)) return when.some(looksAtAddedText);
  if (!isRecord(when)) return false;
  const {changes} = when;
  return (
    (isRecord(changes) && Object.hasOwn(changes, 'added_text')) ||
    ['all', 'any', 'not'].some((name) => looksAtAddedText(when[name]))
  );
}
