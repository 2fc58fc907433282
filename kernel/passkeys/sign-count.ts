// The count of signatures in the data of an authenticator. A passkey that counts never shows the same number twice; a copy of it does.
import {decodeBase64} from '../evidence/index.ts';

/** After the hash of the host name and the flags. */
const offset = 33;

/** `authenticatorData`: as base64. 0 if the passkey does not count. */
export function signCountOf(authenticatorData: string): number {
  const bytes = decodeBase64(authenticatorData);
  if (bytes === undefined || bytes.length < offset + 4) return 0;
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(offset);
}

/** Whether this count can follow the other one. */
export function isNextCount(count: number, before: number): boolean {
  return count > before || (count === 0 && before === 0);
}
