// The parts of a WebAuthn response that a passkey's browser and authenticator produce: what the page asked for, and what the authenticator
// saw. https://www.w3.org/TR/webauthn-3/#sctn-verifying-assertion
import {sha256Bytes} from '../system/sha256.ts';

/** What a response must be for. */
export interface ExpectedData {
  readonly rp_id: string;
  readonly origin: string;
  /** The text whose SHA-256 is the challenge. */
  readonly challenge: string;
}

/** Bits of the authenticator's flags. */
const flags = {userPresent: 1, userVerified: 4} as const;
/** The hash of the host name, the flags and the count. */
const dataBytesMin = 37;

/** Why the text is not of a response to this request; undefined if it is. */
export function clientFault(
  text: string,
  type: 'webauthn.create' | 'webauthn.get',
  {origin, challenge}: ExpectedData,
): string | undefined {
  const data = parsed(text);
  if (data === undefined) return 'its client data is not JSON';
  if (data['type'] !== type) return `it is of the type \`${shown(data['type'])}\` instead of \`${type}\``;
  if (data['challenge'] !== Buffer.from(sha256Bytes(challenge)).toString('base64url'))
    return 'it signs another request';
  if (data['origin'] !== origin) return `it was made at \`${shown(data['origin'])}\` instead of \`${origin}\``;
  return data['crossOrigin'] === true ? 'it was made inside a page of another site' : undefined;
}

/** Why the data is not of an authenticator that verified the person for this host name; undefined if it is. */
export function authenticatorFault(data: Buffer, {rp_id}: Pick<ExpectedData, 'rp_id'>): string | undefined {
  if (data.length < dataBytesMin) return 'its authenticator data is too short';
  if (!data.subarray(0, 32).equals(sha256Bytes(rp_id))) return `it is for another host name than \`${rp_id}\``;
  const given = data.readUInt8(32);
  if ((given & flags.userPresent) === 0) return 'no person touched the authenticator';
  return (given & flags.userVerified) === 0
    ? 'the authenticator did not verify the person by PIN, fingerprint or face'
    : undefined;
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    // The caller reports it.
    return undefined;
  }
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 200) : typeof value;
}
