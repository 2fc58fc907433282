// C2SP signed notes: a text, an empty line, and lines with signatures over the text.
// https://c2sp.org/signed-note. Keys are lent through ports; here is only the format.
import {decodeBase64, encodeBase64} from './base64.ts';

/** A signer: a name, the key's 4-byte id, and a function that signs the UTF-8 bytes of a text. */
export interface NoteSigner {
  readonly name: string;
  readonly keyId: Uint8Array;
  sign(text: string): Uint8Array;
  /** The same key under another name, and so with another id. */
  named(name: string): NoteSigner;
}

export interface NoteVerifier {
  readonly name: string;
  readonly keyId: Uint8Array;
  verify(text: string, signature: Uint8Array): boolean;
}

/** The note over a text, which must end in a newline, with a signature line for each signer. */
export function signNote(text: string, ...signers: readonly NoteSigner[]): string {
  return `${text}\n${signers.map((signer) => signatureLine(text, signer)).join('')}`;
}

function signatureLine(text: string, signer: NoteSigner): string {
  const signature = signer.sign(text);
  const bytes = new Uint8Array(4 + signature.length);
  bytes.set(signer.keyId);
  bytes.set(signature, 4);
  return `— ${signer.name} ${encodeBase64(bytes)}\n`;
}

export interface OpenedNote {
  readonly text: string;
  /** The first that vouches for it. */
  readonly verifier: NoteVerifier;
  /** Whether all signatures are of these verifiers. */
  readonly isWhole: boolean;
}

/** Undefined when none of the verifiers vouches for it, or a signature of one of them is invalid. Signatures of others are ignored. */
export function openNote(note: string, verifiers: readonly NoteVerifier[]): OpenedNote | undefined {
  const read = readNote(note);
  if (read === undefined) return undefined;
  const {text, signatures} = read;
  const known: NoteVerifier[] = [];
  for (const signature of signatures) {
    const verifier = verifiers.find((candidate) => isOf(candidate, signature));
    if (verifier?.verify(text, signature.bytes.subarray(4)) === false) return undefined;
    if (verifier !== undefined) known.push(verifier);
  }
  const [verifier] = known;
  return verifier && {text, verifier, isWhole: known.length === signatures.length};
}

/** The lines of a note with signatures that these verifiers accept, each with its newline. */
export function signatureLinesOf(note: string, verifiers: readonly NoteVerifier[]): readonly string[] {
  const read = readNote(note);
  return (read?.signatures ?? [])
    .filter((signature) => verifiers.some((verifier) => isOf(verifier, signature) && isValid(verifier, signature)))
    .map(({line}) => `${line}\n`);

  function isValid(verifier: NoteVerifier, {bytes}: Signature): boolean {
    return verifier.verify(read?.text ?? '', bytes.subarray(4));
  }
}

/** The text of a note; undefined for anything else than a note. Nothing is verified. */
export function noteText(note: string): string | undefined {
  return readNote(note)?.text;
}

function readNote(note: string): {readonly text: string; readonly signatures: readonly Signature[]} | undefined {
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n')) return undefined;
  const signatures = note
    .slice(end + 2, -1)
    .split('\n')
    .map(readSignature);
  const read = signatures.filter((signature) => signature !== undefined);
  return read.length === signatures.length ? {text: note.slice(0, end + 1), signatures: read} : undefined;
}

interface Signature {
  readonly line: string;
  readonly name: string;
  /** The key's id, then the signature itself. */
  readonly bytes: Uint8Array;
}

function readSignature(line: string): Signature | undefined {
  const [, name, base64] = /^— ([^\s+]+) ([A-Za-z0-9+/=]+)$/u.exec(line) ?? [];
  const bytes = base64 === undefined ? undefined : decodeBase64(base64);
  return name === undefined || bytes === undefined || bytes.length <= 4 ? undefined : {line, name, bytes};
}

function isOf(verifier: NoteVerifier, signature: Signature): boolean {
  return verifier.name === signature.name && verifier.keyId.every((byte, index) => byte === signature.bytes[index]);
}
