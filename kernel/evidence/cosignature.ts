// C2SP tlog-cosignature v1: a witness's statement that the log it saw earlier is the beginning of the one in a checkpoint.
// https://c2sp.org/tlog-cosignature.
import {encodeBase64} from './base64.ts';

/** What a cosigner signs: the time in seconds since 1970, and the text of the checkpoint. */
export function cosignedText(text: string, seconds: number): string {
  return `cosignature/v1\ntime ${seconds}\n${text}`;
}

/** A cosigner: its name, the 4-byte id of its key, and a function that signs the UTF-8 bytes of a text. */
export interface Cosigner {
  readonly name: string;
  readonly keyId: Uint8Array;
  sign(text: string): Uint8Array;
}

/** The line of a cosignature, with its newline. */
export function cosign(text: string, seconds: number, {name, keyId, sign}: Cosigner): string {
  const signature = sign(cosignedText(text, seconds));
  const bytes = new Uint8Array(keyId.length + 8 + signature.length);
  bytes.set(keyId);
  new DataView(bytes.buffer).setBigUint64(keyId.length, BigInt(seconds));
  bytes.set(signature, keyId.length + 8);
  return `— ${name} ${encodeBase64(bytes)}\n`;
}

/** The parts of a cosignature without the id of its key; undefined if it has another length or no valid time. */
export function readCosignature(
  bytes: Uint8Array,
): {readonly seconds: number; readonly signature: Uint8Array} | undefined {
  if (bytes.length !== 72) return undefined;
  const seconds = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0));
  return seconds > 0 && Number.isSafeInteger(seconds) ? {seconds, signature: bytes.subarray(8)} : undefined;
}
