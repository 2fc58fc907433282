// People and their sign-ins, folded from their events.
import type {KernelEvent, Person} from '@lumenflow/schemas';

/** A name belongs to one person at one issuer. */
export interface PersonRecord {
  /** The actor of what the person does. */
  readonly name: string;
  readonly person: Person;
  readonly first_signed_in_at: string;
  readonly last_signed_in_at: string;
  /** Sign-ins up to this event have ended. */
  readonly signed_out_seq?: number;
}

export interface SignIn {
  readonly name: string;
  readonly person: Person;
  readonly groups: readonly string[];
  readonly via: Extract<KernelEvent, {type: 'person_signed_in'}>['via'];
  readonly signed_in_at: string;
  readonly expires_at: string;
  readonly seq: number;
  readonly has_ended?: true;
}

/** A person as the identity provider has provisioned them. */
export interface ProvisionedPerson {
  readonly name: string;
  readonly user_id: string;
  readonly user_name: string;
  readonly external_id?: string;
  readonly display_name?: string;
  readonly active: boolean;
  readonly removed?: true;
  readonly created_at: string;
  readonly changed_at: string;
}

/** An issuer is one issuer with and without a slash at its end. */
export function isSameIssuer(one: string, other: string): boolean {
  return one.replace(/\/+$/u, '') === other.replace(/\/+$/u, '');
}

/** Names that differ only in case are one person's. */
export function personKey(name: string): string {
  return name.toLowerCase();
}

/** `timestamp` is UTC ISO 8601 with milliseconds. */
export function isStanding(signIn: SignIn, person: PersonRecord | undefined, timestamp: string): boolean {
  return (
    person !== undefined &&
    signIn.has_ended !== true &&
    timestamp < signIn.expires_at &&
    signIn.seq > (person.signed_out_seq ?? 0)
  );
}
