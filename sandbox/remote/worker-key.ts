// A worker's public key as workspace.yaml contains it: a C2SP verifier key, `name+id+key`.
import {createPublicKey, type KeyObject} from 'node:crypto';

const ed25519 = 1;

export interface WorkerKey {
  /** `name+id`. */
  readonly id: string;
  readonly publicKey: KeyObject;
}

/** Undefined for any other text. */
export function parseWorkerKey(text: string): WorkerKey | undefined {
  const [, id, base64 = ''] = /^([^\s+]+\+[0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/u.exec(text) ?? [];
  const bytes = Buffer.from(base64, 'base64');
  if (id === undefined || bytes.length !== 33 || bytes[0] !== ed25519) return undefined;
  const x = bytes.subarray(1).toString('base64url');
  return {id, publicKey: createPublicKey({key: {kty: 'OKP', crv: 'Ed25519', x}, format: 'jwk'})};
}
