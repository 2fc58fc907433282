import {expect, test} from 'vitest';
import {
  decideProvision,
  decideSignIn,
  decideSignOut,
  type ProvisionCommand,
  type SignInCommand,
} from './decide-people.ts';
import {isStanding, type PersonRecord, type ProvisionedPerson, type SignIn} from './person-record.ts';

const [now, later] = ['2026-01-02T00:00:00.000Z', '2026-01-02T12:00:00.000Z'];
const person = {issuer: 'https://login.example', subject: 's-1'};
const known: PersonRecord = {name: 'Ann', person, first_signed_in_at: now, last_signed_in_at: now};
const command: SignInCommand = {
  name: 'ann',
  person,
  groups: [],
  token_sha256: 'a'.repeat(64),
  lifetime_ms: 1,
  via: 'browser',
};
const terms = {timestamp: later, user_id: 'usr-1'};
const provisioned: ProvisionedPerson = {
  name: 'ann',
  user_id: 'usr-1',
  user_name: 'ann',
  active: true,
  created_at: now,
  changed_at: now,
};

function codeOf(result: ReturnType<typeof decideSignIn>): string {
  return result.success ? result.data.type : result.error.code;
}

test.each([
  ['nobody', undefined, 'person_signed_in'],
  ['the same person', known, 'person_signed_in'],
  [
    'the same person, with a slash after the issuer',
    {...known, person: {...person, issuer: 'https://login.example/'}},
    'person_signed_in',
  ],
  ['another subject', {...known, person: {...person, subject: 's-2'}}, 'NAME_TAKEN'],
  ['a subject of another issuer', {...known, person: {...person, issuer: 'https://b.example'}}, 'NAME_TAKEN'],
])('a name that belongs to %s', (_whom, before, expected) => {
  expect(codeOf(decideSignIn(before, command, {timestamp: now, expires_at: later}))).toBe(expected);
});

test('a person keeps the first form of the name', () => {
  const decided = decideSignIn(known, command, {timestamp: now, expires_at: later});
  expect(decided).toMatchObject({data: {actor: 'Ann', name: 'Ann', expires_at: later}});
});

test.each([
  ['active', provisioned, 'person_signed_in'],
  ['deactivated', {...provisioned, active: false}, 'PERSON_INACTIVE'],
  ['not provisioned', undefined, 'PERSON_INACTIVE'],
])('with a directory, a person who is %s', (_state, entry, expected) => {
  const terms = {timestamp: now, expires_at: later, mustBeActive: {provisioned: entry}};
  expect(codeOf(decideSignIn(known, command, terms))).toBe(expected);
});

test('only a person who has signed in is signed out', () => {
  const ended = {name: 'ANN', by: 'root', reason: 'left'};
  expect(decideSignOut(known, ended, now)).toMatchObject({data: {actor: 'root', name: 'Ann', reason: 'left'}});
  expect(codeOf(decideSignOut(undefined, ended, now))).toBe('PERSON_NOT_FOUND');
});

test.each<[string, {more?: Partial<SignIn>; owner?: PersonRecord | undefined; timestamp?: string}, boolean]>([
  ['as it was made', {}, true],
  ['at its end', {timestamp: later}, false],
  ['that has ended', {more: {has_ended: true}}, false],
  ['of a person who signed out everywhere later', {owner: {...known, signed_out_seq: 8}}, false],
  ['of a person who signed out everywhere before', {owner: {...known, signed_out_seq: 6}}, true],
  ['of nobody', {owner: undefined}, false],
])('a sign-in %s', (_what, changed, expected) => {
  const {more, owner, timestamp} = {owner: known, timestamp: now, more: {}, ...changed};
  const signIn: SignIn = {...command, signed_in_at: now, expires_at: later, seq: 7, ...more};
  expect(isStanding(signIn, owner, timestamp)).toBe(expected);
});

test.each([
  ['a new user', undefined, undefined, 'person_provisioned'],
  ['a new user with a name in use', provisioned, undefined, 'NAME_TAKEN'],
  [
    'a new user with the name of a removed one',
    {...provisioned, removed: true as const},
    undefined,
    'person_provisioned',
  ],
  ['a user', provisioned, 'usr-1', 'person_provisioned'],
  ['another user of the name', provisioned, 'usr-2', 'PERSON_NOT_FOUND'],
  ['a removed user', {...provisioned, removed: true as const}, 'usr-1', 'PERSON_NOT_FOUND'],
  ['a missing user', undefined, 'usr-1', 'PERSON_NOT_FOUND'],
])('a provider changes %s', (_what, before, user_id, expected) => {
  const change = {name: 'ann', user_name: 'ann', active: true, by: 'idp', ...(user_id !== undefined && {user_id})};
  const decided = decideProvision(before, change, {timestamp: now, user_id: user_id ?? 'usr-9'});
  expect(codeOf(decided)).toBe(expected);
});

test('a change that was computed before a deactivation does not undo it', () => {
  const inactive = {...provisioned, active: false};
  const renamed = {...change(provisioned), display_name: 'Ann Example'};
  expect(decideProvision(inactive, renamed, terms)).toMatchObject({
    data: {display_name: 'Ann Example', active: false},
  });
  expect(decideProvision(inactive, {...change(inactive), active: true}, terms)).toMatchObject({data: {active: true}});
});

function change(from: ProvisionedPerson): ProvisionCommand {
  const {name, user_name, user_id, active} = from;
  return {name, user_name, user_id, active, by: 'idp', from};
}
