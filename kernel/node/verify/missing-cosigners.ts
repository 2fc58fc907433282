// Counts the cosignatures in one checkpoint, without a log.
import {parseWitnessKey} from '../witness/witness-key.ts';
import type {RequiredWitnesses} from '../witness/required-witnesses.ts';

/** The witnesses whose cosignature is missing, for people; undefined if there are as many as required. */
export function missingCosigners(note: string, {required, keys}: RequiredWitnesses): string | undefined {
  const missing = keys.filter((key) => parseWitnessKey(key)?.cosignatureIn(note) === undefined);
  const count = keys.length - missing.length;
  if (count >= (required ?? keys.length)) return undefined;
  const names = missing.map((key) => key.split('+', 1)[0] ?? '').join(', ');
  return `${count} of ${required ?? keys.length}, and none by ${names}`;
}
