// The people of a workspace from its events alone: for commands that start no kernel.
import type {KernelEvent} from '@lumenflow/schemas';
import {RecordTable} from '../records/record-table.ts';
import {evolvePeople} from './evolve-people.ts';
import {isStanding, personKey, type PersonRecord, type ProvisionedPerson, type SignIn} from './person-record.ts';
import {evolveGroups, groupsOfPerson, type ProvisionedGroup} from './provisioned-group.ts';

export interface FoldedPeople {
  /** Names of people that have signed in or were provisioned, also if they were removed: a name stays with its person. */
  readonly names: readonly string[];
  /** The names of the groups that the identity provider has provisioned a person in. */
  groupsOf(name: string): readonly string[];
  /** Undefined if no sign-in has this token, or if it has ended. `timestamp` is UTC ISO 8601 with milliseconds. */
  signInOf(tokenSha256: string, timestamp: string): SignIn | undefined;
}

export function foldPeople(events: Iterable<KernelEvent>): FoldedPeople {
  const people = new RecordTable<PersonRecord>(() => true);
  const sign_ins = new RecordTable<SignIn>(() => true);
  const provisioned = new RecordTable<ProvisionedPerson>(() => true);
  const groups = new RecordTable<ProvisionedGroup>(() => true);
  for (const event of events) {
    evolvePeople({people, sign_ins, provisioned}, event);
    evolveGroups(groups, event);
  }
  return {
    names: [...people.values(), ...provisioned.values()].map(({name}) => name),
    groupsOf: (name) => groupsOfPerson(groups.values(), provisioned.get(personKey(name))),
    signInOf(tokenSha256, timestamp) {
      const signIn = sign_ins.get(tokenSha256);
      const person = signIn && people.get(personKey(signIn.name));
      return signIn && isStanding(signIn, person, timestamp) ? signIn : undefined;
    },
  };
}
