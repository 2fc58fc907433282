// `pack.sig`: a C2SP signed note over a pack's id, version and integrity. The note names its key, so anyone can verify it; the
// workspace decides which keys are trusted.
import {openNote, signNote} from '@lumenflow/kernel/adapters';
import {parseVerifierKey, type NoteKey} from '@lumenflow/kernel/node';

export const signatureFile = 'pack.sig';
const firstLine = 'lumenflow.pack.v1';

export interface SignedPack {
  readonly id: string;
  readonly version: string;
  /** `sha256:<hex>`, as in a pin. */
  readonly integrity: string;
}

export interface SignatureFinding {
  /** `modified`: a valid signature of this pack and version, but over other files. */
  readonly state: 'unsigned' | 'signed' | 'modified' | 'invalid';
  /** The signer's verifier key, when the signature is valid. */
  readonly key?: string;
  /** Whether the workspace trusts that key. */
  readonly trusted: boolean;
  /** What is wrong with an invalid one. */
  readonly reason?: string;
}

export function signPack({id, version, integrity}: SignedPack, {signer, verifierKey}: NoteKey): string {
  return signNote(`${[firstLine, id, version, integrity, verifierKey].join('\n')}\n`, signer);
}

/** `note` is the text of pack.sig; undefined when the file is missing. */
export function checkSignature(
  note: string | undefined,
  pack: SignedPack,
  trustedKeys: readonly string[],
): SignatureFinding {
  if (note === undefined) return {state: 'unsigned', trusted: false};
  const [first, id = '', version = '', integrity, key = ''] = note.split('\n');
  const verifier = parseVerifierKey(key);
  if (first !== firstLine || verifier === undefined) return invalid(`${signatureFile} is not a pack signature`);
  const text = openNote(note, [verifier])?.text;
  if (text?.split('\n').length !== 6) return invalid('the signature does not match the signed text');
  if (id !== pack.id || version !== pack.version) {
    return invalid(`the signature is of ${id} ${version}, this is ${pack.id} ${pack.version}`);
  }
  const state = integrity === pack.integrity ? 'signed' : 'modified';
  return {state, key, trusted: trustedKeys.includes(key)};
}

function invalid(reason: string): SignatureFinding {
  return {state: 'invalid', trusted: false, reason};
}
