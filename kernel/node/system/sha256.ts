// SHA-256 from OpenSSL, in one shot: half the cost of a hash object for the small texts of a call.
import {hash} from 'node:crypto';
import type {Digest} from '@lumenflow/kernel/adapters';

/** Lower-case hex; a string is hashed as UTF-8. */
export function sha256Hex(content: string | Uint8Array): string {
  return hash('sha256', content, 'hex');
}

export function sha256Bytes(content: string | Uint8Array): Uint8Array {
  // By way of a text: OpenSSL's own buffers, and Buffer.from, cost as much again as the hash.
  const text = hash('sha256', content, 'binary');
  const bytes = new Uint8Array(32);
  for (let at = 0; at < 32; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}

export function createDigest(): Digest {
  return {sha256: sha256Hex};
}
