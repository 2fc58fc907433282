// Passkeys of people, folded from their events. A passkey signs approvals of one person, at one address of the dashboard.
import type {Person} from '@lumenflow/schemas';
import {personKey} from '../people/person-record.ts';

export interface PasskeyRecord {
  /** The credential id of WebAuthn, as base64url. It is never given to another person. */
  readonly passkey_id: string;
  /** The actor of the approvals that it signs. */
  readonly name: string;
  /** The person's identity, if the person signed in at the issuer. */
  readonly person?: Person;
  /** The person's name for it. */
  readonly label: string;
  /** SubjectPublicKeyInfo, DER as base64. */
  readonly public_key: string;
  /** The host name that it is bound to. */
  readonly rp_id: string;
  /** The address of the dashboard at which it signs. */
  readonly origin: string;
  /** Of its newest signature; 0 if it does not count. */
  readonly sign_count: number;
  readonly added_at: string;
  readonly last_used_at?: string;
  readonly removed_at?: string;
  readonly removed_by?: string;
}

/** A name that a token had and a person of the issuer has now are two owners. */
export function isPasskeyOf(
  passkey: Pick<PasskeyRecord, 'name' | 'person'>,
  name: string,
  person: Person | undefined,
): boolean {
  return (
    personKey(passkey.name) === personKey(name) &&
    passkey.person?.issuer === person?.issuer &&
    passkey.person?.subject === person?.subject
  );
}
