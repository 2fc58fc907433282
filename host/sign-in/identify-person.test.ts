import {expect, test} from 'vitest';
import {identifyPerson} from './identify-person.ts';
import {roleOfGroups} from './role-of-groups.ts';

const settings = {
  issuer: 'https://login.example',
  roles: {admin: ['platform'], operator: ['staff', 'Größe', 'constructor'], agent: ['guests']},
} as Parameters<typeof identifyPerson>[1];
const claims = {sub: 'u-1', preferred_username: 'ann', name: 'Ann Example', groups: ['staff']};

test('claims name the person, and the groups that count', () => {
  expect(identifyPerson({...claims, groups: ['x', 'staff', 'staff', 'guests']}, settings)).toEqual({
    ok: true,
    value: {
      name: 'ann',
      person: {issuer: 'https://login.example', subject: 'u-1', display_name: 'Ann Example'},
      groups: ['staff', 'guests'],
    },
  });
});

test.each([
  ['no groups at all', {groups: undefined}, /sent no claim `groups`/],
  ['groups that count for nothing', {groups: ['x']}, /in no group/],
  ['an empty list', {groups: []}, /in no group/],
  ['names of a prototype', {groups: ['__proto__', 'toString', 'hasOwnProperty']}, /in no group/],
  ['things that are not texts', {groups: [1, null, {staff: true}, ['staff']]}, /in no group/],
  ['an object', {groups: {staff: true}}, /in no group/],
  ['other case', {groups: ['Staff']}, /in no group/],
  ['another form of the same letters', {groups: ['Größe'.normalize('NFD')]}, /in no group/],
  ['space around', {groups: [' staff ']}, /in no group/],
  ['several in one text', {groups: 'guests,staff'}, /in no group/],
  ['no subject', {sub: undefined}, /no subject/],
  ['an endless subject', {sub: 'x'.repeat(256)}, /no subject/],
  ['no name', {preferred_username: undefined}, /sent no claim `preferred_username`/],
  ['a name that is a path', {preferred_username: '../admin'}, /cannot be a name/],
  ['a name with letters that look alike', {preferred_username: 'аnn'}, /cannot be a name/],
  ['an address without a domain in the settings', {preferred_username: 'ann@corp.example'}, /`name_domain`/],
])('a person with %s cannot sign in', (_what, more, message) => {
  const identified = identifyPerson({...claims, ...more}, settings);
  expect(identified).toMatchObject({ok: false, problem: expect.stringMatching(message)});
});

test('a group may have any name, and ten thousand groups are read', () => {
  const groups = [...Array.from({length: 10_000}, (_, at) => `group-${at}`), 'constructor', 'Größe'];
  expect(identifyPerson({...claims, groups}, settings)).toMatchObject({value: {groups: ['constructor', 'Größe']}});
  expect(identifyPerson({...claims, groups: 'guests'}, settings)).toMatchObject({value: {groups: ['guests']}});
});

test('an address is a name within its domain, once it is verified', () => {
  const byAddress = {...settings, name_claim: 'email', name_domain: 'corp.example'};
  const named = (email: string, email_verified: unknown = true): unknown =>
    identifyPerson({...claims, email, email_verified}, byAddress);
  expect(named('ann@Corp.example')).toMatchObject({value: {name: 'ann'}});
  expect(named('ann@evil.example')).toMatchObject({ok: false});
  expect(named('ann@corp.example@evil.example')).toMatchObject({ok: false});
  expect(named('ann@evilcorp.example')).toMatchObject({ok: false});
  expect(named('ann@corp.example', false)).toMatchObject({problem: 'the issuer has not verified your e-mail address'});
  expect(named('ann@corp.example', 'true')).toMatchObject({ok: false});
});

test.each([
  [['guests', 'platform'], 'admin'],
  [['guests', 'staff'], 'operator'],
  [['guests'], 'agent'],
  [['x'], undefined],
])('the groups %j have the role %s', (groups, role) => {
  expect(roleOfGroups(groups, settings.roles)).toBe(role);
});
