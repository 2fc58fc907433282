// C2SP signed notes: a text, an empty line, and lines with signatures over the text.
// https://c2sp.org/signed-note. Keys are lent through ports; here is only the format.
import {decodeBase64, encodeBase64} from './base64.ts';

/** A signer: a name, the key's 4-byte id, and a function that signs the UTF-8 bytes of a text. */
export interface NoteSigner {
  readonly name: string;
  readonly keyId: Uint8Array;
  sign(text: string): Uint8Array;
}

export interface NoteVerifier {
  readonly name: string;
  readonly keyId: Uint8Array;
  verify(text: string, signature: Uint8Array): boolean;
}

/** The note over a text, which must end in a newline. */
export function signNote(text: string, signer: NoteSigner): string {
  const signature = signer.sign(text);
  const bytes = new Uint8Array(4 + signature.length);
  bytes.set(signer.keyId);
  bytes.set(signature, 4);
  return `${text}\n— ${signer.name} ${encodeBase64(bytes)}\n`;
}

/** The note's text and the verifier that vouches for it; undefined when none of them does. */
export function openNote(
  note: string,
  verifiers: readonly NoteVerifier[],
): {readonly text: string; readonly verifier: NoteVerifier} | undefined {
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n')) return undefined;
  const text = note.slice(0, end + 1);
  const lines = note.slice(end + 2, -1).split('\n');
  const signatures = lines.map(readSignature);
  if (signatures.includes(undefined)) return undefined;
  for (const signature of signatures) {
    const verifier = verifiers.find((candidate) => signature !== undefined && isOf(candidate, signature));
    if (signature !== undefined && verifier?.verify(text, signature.bytes.subarray(4)) === true)
      return {text, verifier};
  }
  return undefined;
}

interface Signature {
  readonly name: string;
  /** The key's id, then the signature itself. */
  readonly bytes: Uint8Array;
}

function readSignature(line: string): Signature | undefined {
  const [, name, base64] = /^— ([^\s+]+) ([A-Za-z0-9+/=]+)$/u.exec(line) ?? [];
  const bytes = base64 === undefined ? undefined : decodeBase64(base64);
  return name === undefined || bytes === undefined || bytes.length <= 4 ? undefined : {name, bytes};
}

function isOf(verifier: NoteVerifier, signature: Signature): boolean {
  return verifier.name === signature.name && verifier.keyId.every((byte, index) => byte === signature.bytes[index]);
}
