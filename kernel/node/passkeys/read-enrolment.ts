// Reads what a browser returns for a new passkey. Nothing is attested: the sign-in of the request shows whose key it is.
// The key comes from the browser, and must be the one in the authenticator's data.
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import {signCountOf} from '@lumenflow/kernel/adapters';
import {keyNumbers, readPublicKey} from './public-key.ts';
import {authenticatorFault, clientFault, type ExpectedData} from './signed-data.ts';

export interface EnrolmentResponse {
  /** The credential id, as base64url. */
  readonly passkey_id: string;
  /** SubjectPublicKeyInfo, DER as base64. */
  readonly public_key: string;
  /** As base64. */
  readonly authenticator_data: string;
  readonly client_data_json: string;
}

/** The position of the length of the credential id, which follows the model of the authenticator. */
const idLengthAt = 53;

/** The count of the new passkey, or why it cannot be used. */
export function readEnrolment(
  response: EnrolmentResponse,
  expected: ExpectedData,
): Outcome<{readonly sign_count: number}, string> {
  const {authenticator_data, client_data_json} = response;
  const data = Buffer.from(authenticator_data, 'base64');
  const fault =
    clientFault(client_data_json, 'webauthn.create', expected) ??
    authenticatorFault(data, expected) ??
    keyFault(response, data);
  return fault === undefined ? ok({sign_count: signCountOf(authenticator_data)}) : failed(fault);
}

function keyFault({passkey_id, public_key}: EnrolmentResponse, data: Buffer): string | undefined {
  if (data.length < idLengthAt + 2) return 'its authenticator data contains no key';
  const keyAt = idLengthAt + 2 + data.readUInt16BE(idLengthAt);
  if (data.subarray(idLengthAt + 2, keyAt).toString('base64url') !== passkey_id) return 'its id is another one';
  const key = readPublicKey(public_key);
  if (key === undefined) return 'its key is not of the kind ES256, EdDSA or RS256';
  const rest = data.subarray(keyAt);
  return keyNumbers(key).every((number) => rest.includes(number)) ? undefined : 'its authenticator created another key';
}
