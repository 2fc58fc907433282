// SHA-256 from OpenSSL, in one shot: half the cost of a hash object for the small texts of a call.
import {hash} from 'node:crypto';
import type {Digest} from '@lumenflow/kernel';

/** Lower-case hex; a string is hashed as UTF-8. */
export function sha256Hex(content: string | Uint8Array): string {
  return hash('sha256', content, 'hex');
}

export function sha256Bytes(content: string | Uint8Array): Uint8Array {
  // By way of a text: a buffer of its own for each hash costs as much again as the hash.
  return Buffer.from(hash('sha256', content, 'binary'), 'latin1');
}

export function createDigest(): Digest {
  return {sha256: sha256Hex};
}
