// The sign-in of a token, from events alone: for commands that start no kernel.
import type {KernelEvent} from '@lumenflow/schemas';
import {RecordTable} from '../records/record-table.ts';
import {evolvePeople} from './evolve-people.ts';
import {isStanding, personKey, type PersonRecord, type ProvisionedPerson, type SignIn} from './person-record.ts';

/** Undefined if no sign-in has this token, or if it has ended. `timestamp` is UTC ISO 8601 with milliseconds. */
export function signInInEvents(
  events: Iterable<KernelEvent>,
  tokenSha256: string,
  timestamp: string,
): SignIn | undefined {
  const tables = {
    people: new RecordTable<PersonRecord>(() => true),
    sign_ins: new RecordTable<SignIn>(() => true),
    provisioned: new RecordTable<ProvisionedPerson>(() => true),
  };
  for (const event of events) evolvePeople(tables, event);
  const signIn = tables.sign_ins.get(tokenSha256);
  const person = signIn && tables.people.get(personKey(signIn.name));
  return signIn && isStanding(signIn, person, timestamp) ? signIn : undefined;
}
