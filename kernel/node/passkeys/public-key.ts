// The public key of a passkey: one of the three kinds that authenticators create.
import {createPublicKey, verify, type JsonWebKey, type KeyObject} from 'node:crypto';

const rsaBitsMin = 2048;

/** `text`: SubjectPublicKeyInfo, DER as base64. Undefined if it is not a key of ES256, EdDSA or RS256. */
export function readPublicKey(text: string): KeyObject | undefined {
  try {
    const key = createPublicKey({key: Buffer.from(text, 'base64'), format: 'der', type: 'spki'});
    const {asymmetricKeyType: type, asymmetricKeyDetails: details = {}} = key;
    const isKnown =
      type === 'ed25519' ||
      (type === 'ec' && details.namedCurve === 'prime256v1') ||
      (type === 'rsa' && (details.modulusLength ?? 0) >= rsaBitsMin);
    return isKnown ? key : undefined;
  } catch {
    // The caller reports that it is not a key; OpenSSL's reasons do not help.
    return undefined;
  }
}

export function isSignedBy(key: KeyObject, data: Uint8Array, signature: Uint8Array): boolean {
  try {
    return verify(key.asymmetricKeyType === 'ed25519' ? undefined : 'sha256', data, key, signature);
  } catch {
    // A signature that is not one of this kind of key.
    return false;
  }
}

/** The numbers of the key, as authenticator data contains them too. */
export function keyNumbers(key: KeyObject): readonly Buffer[] {
  const {x, y, n}: JsonWebKey = key.export({format: 'jwk'});
  return [x, y, n].flatMap((number) => (number === undefined ? [] : [Buffer.from(number, 'base64url')]));
}
