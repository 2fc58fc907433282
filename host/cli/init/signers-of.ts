// The keys that signed the packs of a new workspace, so that it can require their signatures from the start.
import type {PackPin} from '@lumenflow/schemas';
import {checkSignature} from '../../packs/signing/pack-signature.ts';

export interface SignedPin {
  readonly pin: PackPin;
  /** The text of pack.sig; undefined if there is none. */
  readonly note: string | undefined;
}

/** Each key once; empty unless every pack has a valid signature of its files. */
export function signersOf(packs: readonly SignedPin[]): readonly string[] {
  const findings = packs.map(({pin, note}) => checkSignature(note, pin, []));
  if (findings.some(({state}) => state !== 'signed')) return [];
  return [...new Set(findings.flatMap(({key}) => key ?? []))];
}
