// What providers send: the examples of RFC 7644, and the habits of Entra ID and Okta.
import type {ProvisionedPerson} from '@lumenflow/kernel';
import {describe, expect, test} from 'vitest';
import {filterUsers} from './filter-users.ts';
import {patchUser} from './patch-user.ts';
import {nameOfUser, readUser} from './scim-user.ts';

const user = {userName: 'bjensen', externalId: 'bjensen', displayName: 'Babs', active: true};
const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp'];
const patched = (...Operations: object[]): unknown => {
  const result = patchUser(user, {schemas, Operations});
  return result.ok ? result.value : result.problem;
};

test.each<[string, object, object]>([
  [
    'the example of RFC 7644, section 3.3',
    {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: 'bjensen',
      externalId: 'bjensen',
      name: {formatted: 'Ms. Barbara J Jensen III', familyName: 'Jensen', givenName: 'Barbara'},
    },
    {userName: 'bjensen', externalId: 'bjensen', displayName: 'Ms. Barbara J Jensen III', active: true},
  ],
  ['names of attributes in another case', {USERNAME: 'ann', Active: false}, {userName: 'ann', active: false}],
  ['a text for a boolean', {userName: 'ann', active: 'False'}, {userName: 'ann', active: false}],
  ['no value for an attribute', {userName: 'ann', externalId: null}, {userName: 'ann', active: true}],
  [
    'attributes that are not stored',
    {userName: 'ann', emails: [{value: 'a@b.example'}]},
    {userName: 'ann', active: true},
  ],
])('a user with %s is read', (_what, body, expected) => {
  expect(readUser(body)).toEqual({ok: true, value: expected});
});

test.each([
  [[]],
  [null],
  ['x'],
  [{}],
  [{userName: ''}],
  [{userName: 1}],
  [{userName: 'ann', active: 'maybe'}],
  [{userName: 'ann', active: 0}],
  [{userName: 'ann', active: null}],
  [{userName: 'ann', displayName: {}}],
])('%j is not a user', (body) => {
  expect(readUser(body)).toMatchObject({ok: false, problem: {status: 400}});
});

test('a replacement without `active` does not activate a user', () => {
  expect(readUser({userName: 'ann'}, {active: false})).toEqual({ok: true, value: {userName: 'ann', active: false}});
});

test('a user without a valid name is rejected, and a domain is removed', () => {
  expect(nameOfUser('ann@corp.example', 'corp.example')).toEqual({ok: true, value: 'ann'});
  for (const name of ['ann@evil.example', '__proto__', '../x', 'a b', 'аnn']) {
    expect(nameOfUser(name, 'corp.example').ok).toBe(false);
  }
});

describe('a patch', () => {
  test.each<[string, object, object]>([
    ['deactivates, as RFC 7644 has it', {op: 'replace', path: 'active', value: false}, {active: false}],
    ['deactivates, as Entra ID sends it', {op: 'Replace', path: 'active', value: 'False'}, {active: false}],
    ['deactivates, as Okta sends it', {op: 'replace', value: {active: false}}, {active: false}],
    [
      'names the schema',
      {op: 'replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:active', value: false},
      {active: false},
    ],
    [
      'has the schema as its path',
      {op: 'replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User', value: {active: false}},
      {active: false},
    ],
    [
      'has the schema in its value',
      {op: 'replace', value: {'urn:ietf:params:scim:schemas:core:2.0:User': {active: false}}},
      {active: false},
    ],
    ['changes another attribute', {op: 'add', path: 'displayName', value: 'B'}, {displayName: 'B'}],
    ['changes what is not stored', {op: 'add', path: 'emails[type eq "work"].value', value: 'x'}, {}],
    ['names a prototype', {op: 'add', value: JSON.parse('{"__proto__": {"active": false}}') as object}, {}],
    ['removes what is not stored', {op: 'remove', path: 'nickName'}, {}],
  ])('that %s', (_what, operation, more) => {
    expect(patched(operation)).toEqual({...user, ...more});
  });

  test('removes an attribute, and applies operations in order', () => {
    const {displayName: _, ...rest} = user;
    expect(patched({op: 'remove', path: 'displayName'})).toEqual(rest);
    expect(
      patched({op: 'replace', path: 'active', value: false}, {op: 'replace', path: 'active', value: true}),
    ).toEqual(user);
  });

  test.each([
    [{op: 'remove', path: 'userName'}, 'mutability'],
    [{op: 'remove', path: 'active'}, 'mutability'],
    [{op: 'test', path: 'active'}, 'invalidSyntax'],
    [{op: 'replace', path: 'active', value: 'no'}, 'invalidValue'],
    [{op: 'replace', path: 'active', value: null}, 'invalidValue'],
    [{op: 'replace', value: false}, 'invalidValue'],
    [{op: 'replace', value: {'urn:ietf:params:scim:schemas:core:2.0:User': false}}, 'invalidValue'],
    [{op: 'replace', path: 7, value: false}, 'invalidPath'],
  ])('of %j is rejected', (operation, scimType) => {
    expect(patched(operation)).toMatchObject({status: 400, scimType});
  });

  test('without operations is rejected', () => {
    expect(patchUser(user, {schemas}).ok).toBe(false);
    expect(patchUser(user, {schemas, Operations: []}).ok).toBe(false);
    expect(patchUser(user, {Operations: Array.from({length: 101}, () => ({op: 'add', value: {}}))}).ok).toBe(false);
  });
});

test.each([
  ['userName eq "ann"', ['u-1']],
  ['userName eq "ANN"', ['u-1']],
  ['USERNAME EQ "ann"', ['u-1']],
  ['externalId eq "E1"', ['u-1']],
  ['externalId eq "e1"', []],
  ['id eq "u-2"', ['u-2']],
  [String.raw`userName eq "q\"x"`, ['u-2']],
  [undefined, ['u-1', 'u-2']],
])('the filter %s finds %j', (filter, expected) => {
  const times = {created_at: '', changed_at: ''};
  const users: readonly ProvisionedPerson[] = [
    {user_id: 'u-1', name: 'ann', user_name: 'Ann', external_id: 'E1', active: true, ...times},
    {user_id: 'u-2', name: 'q', user_name: 'q"x', active: true, ...times},
  ];
  const found = filterUsers(users, filter);
  expect(found.ok && found.value.map(({user_id}) => user_id)).toEqual(expected);
});

test.each([
  'userName',
  'userName sw "a"',
  'userName eq "a" or id eq "b"',
  String.raw`userName eq "\x"`,
  'toString eq "a"',
  '',
])('the filter `%s` is rejected', (filter) => {
  expect(filterUsers([], filter)).toMatchObject({ok: false, problem: {scimType: 'invalidFilter'}});
});
