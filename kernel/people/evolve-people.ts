// The fold of the events of people.
import type {KernelEvent} from '@lumenflow/schemas';
import type {RecordTable} from '../records/record-table.ts';
import {personKey, type PersonRecord, type ProvisionedPerson, type SignIn} from './person-record.ts';

export interface PeopleTables {
  /** By `personKey`. */
  readonly people: RecordTable<PersonRecord>;
  /** By the SHA-256 of their token. */
  readonly sign_ins: RecordTable<SignIn>;
  /** By `personKey`. */
  readonly provisioned: RecordTable<ProvisionedPerson>;
}

type EventOf<T extends KernelEvent['type']> = Extract<KernelEvent, {type: T}>;

export function evolvePeople(tables: PeopleTables, event: KernelEvent): void {
  if (event.type === 'person_signed_in') signedIn(tables, event);
  if (event.type === 'person_signed_out') signedOut(tables, event);
  if (event.type === 'person_provisioned') provision(tables, event);
}

function signedIn({people, sign_ins}: PeopleTables, event: EventOf<'person_signed_in'>): void {
  const {name, person, groups, via, expires_at, token_sha256, timestamp, seq} = event;
  const known = people.get(personKey(name));
  const first = {name, first_signed_in_at: timestamp, ...known};
  people.set(personKey(name), {...first, person, last_signed_in_at: timestamp});
  sign_ins.set(token_sha256, {name, person, groups, via, signed_in_at: timestamp, expires_at, seq});
}

function signedOut(tables: PeopleTables, {name, token_sha256, seq}: EventOf<'person_signed_out'>): void {
  if (token_sha256 === undefined) return endAll(tables, name, seq);
  const signIn = tables.sign_ins.get(token_sha256);
  if (signIn) tables.sign_ins.set(token_sha256, {...signIn, has_ended: true});
}

function endAll({people}: PeopleTables, name: string, seq: number): void {
  const known = people.get(personKey(name));
  if (known) people.set(personKey(name), {...known, signed_out_seq: seq});
}

function provision(tables: PeopleTables, event: EventOf<'person_provisioned'>): void {
  const {seq, timestamp, name, user_id, user_name, external_id, display_name, active, removed} = event;
  const before = tables.provisioned.get(personKey(name));
  tables.provisioned.set(personKey(name), {
    name,
    user_id,
    user_name,
    ...(external_id !== undefined && {external_id}),
    ...(display_name !== undefined && {display_name}),
    active,
    ...(removed && {removed}),
    created_at: before?.user_id === user_id ? before.created_at : timestamp,
    changed_at: timestamp,
  });
  if (!active) endAll(tables, name, seq);
}
