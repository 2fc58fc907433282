// Creating a passkey, and signing with one: the browser asks the person and the authenticator.
import type {HttpPasskey, HttpPasskeyList, HttpSigning, PasskeyAssertion} from '@lumenflow/schemas';

type Enrolment = NonNullable<HttpPasskeyList['enrolment']>;

/** What the browser reports of a new passkey, as the API expects it. */
interface CreatedPasskey {
  readonly passkey_id: string;
  readonly public_key: string;
  readonly authenticator_data: string;
  readonly client_data_json: string;
}

/** The numbers of EdDSA, ES256 and RS256 in COSE. */
const algorithms = [-8, -7, -257];

/** `known`: passkeys of the person, of which an authenticator creates no second one. */
export async function createPasskey(enrolment: Enrolment, known: readonly HttpPasskey[]): Promise<CreatedPasskey> {
  const {rp_id, challenge, user_id, user_name} = enrolment;
  const publicKey: PublicKeyCredentialCreationOptions = {
    rp: {id: rp_id, name: 'LumenFlow'},
    user: {id: bytesOf(user_id), name: user_name, displayName: user_name},
    challenge: bytesOf(challenge),
    pubKeyCredParams: algorithms.map((alg) => ({type: 'public-key' as const, alg})),
    excludeCredentials: known.map(descriptorOf),
    authenticatorSelection: {userVerification: 'required', residentKey: 'preferred'},
    attestation: 'none',
  };
  const created = await asked(() => navigator.credentials.create({publicKey}));
  const response = created.response as AuthenticatorAttestationResponse;
  const key = response.getPublicKey();
  if (key === null) throw new Error('this authenticator creates keys of an unknown kind: use another one');
  return {
    passkey_id: urlTextOf(created.rawId),
    public_key: textOf(key),
    authenticator_data: textOf(response.getAuthenticatorData()),
    client_data_json: new TextDecoder().decode(response.clientDataJSON),
  };
}

/** `passkeys`: those that sign at this address. */
export async function signWith(
  passkeys: HttpSigning['passkeys'],
  {challenge}: Pick<HttpSigning, 'challenge'>,
): Promise<PasskeyAssertion> {
  const publicKey: PublicKeyCredentialRequestOptions = {
    challenge: bytesOf(challenge),
    ...(passkeys[0] && {rpId: passkeys[0].rp_id}),
    allowCredentials: passkeys.map(descriptorOf),
    userVerification: 'required',
  };
  const signed = await asked(() => navigator.credentials.get({publicKey}));
  const response = signed.response as AuthenticatorAssertionResponse;
  return {
    passkey_id: urlTextOf(signed.rawId),
    authenticator_data: textOf(response.authenticatorData),
    client_data_json: new TextDecoder().decode(response.clientDataJSON),
    signature: textOf(response.signature),
  };
}

const reasons: Readonly<Record<string, string>> = {
  NotAllowedError: 'no passkey was used: the request was cancelled, or its time ran out',
  InvalidStateError: 'this authenticator already has one of your passkeys',
  SecurityError: 'the browser refuses passkeys at this address',
};

async function asked(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  if (!isSecureContext || !('PublicKeyCredential' in window)) {
    throw new Error('this browser offers no passkeys at this address: they need https, or localhost');
  }
  try {
    const answered = await ask();
    if (answered) return answered as PublicKeyCredential;
  } catch (error) {
    const {name, message} = error as DOMException;
    throw new Error(reasons[name] ?? message, {cause: error});
  }
  throw new Error('the browser returned no passkey');
}

function descriptorOf({passkey_id}: Pick<HttpPasskey, 'passkey_id'>): PublicKeyCredentialDescriptor {
  const text = passkey_id.replaceAll('-', '+').replaceAll('_', '/');
  return {type: 'public-key', id: bytesOf(text)};
}

/** Of base64. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.codePointAt(0) ?? 0);
}

function textOf(bytes: ArrayBuffer): string {
  return btoa(Array.from(new Uint8Array(bytes), (byte) => String.fromCodePoint(byte)).join(''));
}

function urlTextOf(bytes: ArrayBuffer): string {
  return textOf(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
