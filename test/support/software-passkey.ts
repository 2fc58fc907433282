// An authenticator in software: it creates a passkey and signs with it, as browsers report it. Tests change parts of what it signs.
import {createHash, generateKeyPairSync, randomBytes, sign, type KeyObject} from 'node:crypto';
import type {EnrolmentResponse} from '@lumenflow/kernel/node';
import type {PasskeyAssertion} from '@lumenflow/schemas';

export type PasskeyKind = 'ES256' | 'EdDSA' | 'RS256';

/** What a request is for; a part that a test replaces is wrong. */
export interface Ceremony {
  /** The text whose SHA-256 is the challenge. */
  readonly challenge: string;
  readonly origin?: string;
  readonly rp_id?: string;
  readonly type?: string;
  /** Default: present and verified. */
  readonly flags?: number;
  /** Default: the next one. */
  readonly count?: number;
  readonly crossOrigin?: boolean;
}

export const passkeyOrigin = 'https://lumenflow.example';
export const passkeyHost = 'lumenflow.example';

const keyPairs: Readonly<Record<PasskeyKind, () => {readonly publicKey: KeyObject; readonly privateKey: KeyObject}>> = {
  ES256: () => generateKeyPairSync('ec', {namedCurve: 'P-256'}),
  EdDSA: () => generateKeyPairSync('ed25519'),
  RS256: () => generateKeyPairSync('rsa', {modulusLength: 2048}),
};

export class SoftwarePasskey {
  readonly passkey_id: string = randomBytes(32).toString('base64url');
  readonly #keys: {readonly publicKey: KeyObject; readonly privateKey: KeyObject};
  #count = 0;

  constructor(kind: PasskeyKind = 'ES256') {
    this.#keys = keyPairs[kind]();
  }

  get public_key(): string {
    return this.#keys.publicKey.export({format: 'der', type: 'spki'}).toString('base64');
  }

  create(ceremony: Ceremony): EnrolmentResponse {
    const id = Buffer.from(this.passkey_id, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const {x = '', y = '', n = ''} = this.#keys.publicKey.export({format: 'jwk'});
    // A reader of CBOR would want the types between the numbers, which nothing here reads.
    const numbers = [x, y, n].map((number) => Buffer.from(number, 'base64url'));
    const data = Buffer.concat([this.#data({flags: 0x45, ...ceremony}), Buffer.alloc(16), length, id, ...numbers]);
    return {
      passkey_id: this.passkey_id,
      public_key: this.public_key,
      authenticator_data: data.toString('base64'),
      client_data_json: clientData({type: 'webauthn.create', ...ceremony}),
    };
  }

  sign(ceremony: Ceremony): PasskeyAssertion {
    const data = this.#data({flags: 0x05, ...ceremony});
    const client_data_json = clientData({type: 'webauthn.get', ...ceremony});
    const signed = Buffer.concat([data, sha256(client_data_json)]);
    const algorithm = this.#keys.privateKey.asymmetricKeyType === 'ed25519' ? undefined : 'sha256';
    return {
      passkey_id: this.passkey_id,
      authenticator_data: data.toString('base64'),
      client_data_json,
      signature: sign(algorithm, signed, this.#keys.privateKey).toString('base64'),
    };
  }

  #data({rp_id = passkeyHost, flags = 0, count}: Ceremony): Buffer {
    this.#count += 1;
    const rest = Buffer.alloc(5);
    rest.writeUInt8(flags);
    rest.writeUInt32BE(count ?? this.#count, 1);
    return Buffer.concat([sha256(rp_id), rest]);
  }
}

function clientData({type, challenge, origin = passkeyOrigin, crossOrigin = false}: Ceremony): string {
  return JSON.stringify({type, challenge: sha256(challenge).toString('base64url'), origin, crossOrigin});
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
