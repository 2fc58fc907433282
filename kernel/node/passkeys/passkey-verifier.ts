// Checks a signature of a passkey. The same check decides whether an approval counts, and later whether its evidence is sound.
import type {PasskeyVerifier} from '@lumenflow/kernel/adapters';
import {sha256Bytes} from '../system/sha256.ts';
import {isSignedBy, readPublicKey} from './public-key.ts';
import {authenticatorFault, clientFault} from './signed-data.ts';

export const passkeyVerifier: PasskeyVerifier = {
  faultOf({authenticator_data, client_data_json, signature}, {public_key, rp_id, origin}, challenge) {
    const key = readPublicKey(public_key);
    if (key === undefined) return 'its public key is not usable';
    const data = Buffer.from(authenticator_data, 'base64');
    const signed = Buffer.concat([data, sha256Bytes(client_data_json)]);
    const expected = {rp_id, origin, challenge};
    return (
      clientFault(client_data_json, 'webauthn.get', expected) ??
      authenticatorFault(data, expected) ??
      (isSignedBy(key, signed, Buffer.from(signature, 'base64')) ? undefined : 'its signature is wrong')
    );
  },
};
