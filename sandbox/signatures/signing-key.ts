import type {KeyObject} from 'node:crypto';

/** An Ed25519 key that signs messages. */
export interface SigningKey {
  /** The id by which the other side finds the public key. */
  readonly id: string;
  readonly privateKey: KeyObject;
}

/** Ed25519 public keys that are accepted, by id. */
export type VerifyingKeys = ReadonlyMap<string, KeyObject>;
