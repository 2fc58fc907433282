import {expect, test} from 'vitest';
import {decideEnrolment, decidePasskeyRemoval, type PasskeyEnrolment} from './decide-passkey.ts';
import {isPasskeyOf, type PasskeyRecord} from './passkey-record.ts';
import {isNextCount, signCountOf} from './sign-count.ts';

const now = '2026-01-02T00:00:00.000Z';
const key = {public_key: 'AAAA', rp_id: 'lumenflow.example', origin: 'https://lumenflow.example', sign_count: 0};
const enrolment: PasskeyEnrolment = {passkey_id: 'one', name: 'ann', label: 'laptop', ...key};
const known: PasskeyRecord = {passkey_id: 'one', name: 'ann', label: 'laptop', ...key, added_at: now};

const codeOf = (result: ReturnType<typeof decideEnrolment>): string =>
  result.success ? result.data.type : result.error.code;

test.each<[string, Partial<PasskeyEnrolment>, {known?: PasskeyRecord; own?: number}, string]>([
  ['a new one', {}, {}, 'person_passkey_added'],
  ['the twentieth', {}, {own: 19}, 'person_passkey_added'],
  ['one too many', {}, {own: 20}, 'INVALID_INPUT'],
  ['a known one', {}, {known}, 'PASSKEY_TAKEN'],
  ['one that was removed', {}, {known: {...known, removed_at: now}}, 'PASSKEY_TAKEN'],
  ['one of another person', {}, {known: {...known, name: 'bob'}}, 'PASSKEY_TAKEN'],
  ['one without a name', {label: '  '}, {}, 'INVALID_INPUT'],
  ['one with a long name', {label: 'x'.repeat(65)}, {}, 'INVALID_INPUT'],
  ['one with a name of two lines', {label: 'a\nb'}, {}, 'INVALID_INPUT'],
  ['one whose name turns the text', {label: 'a\u{202E}b'}, {}, 'INVALID_INPUT'],
])('enrolling %s', (_what, changed, {known: before, own = 0}, expected) => {
  expect(codeOf(decideEnrolment({known: before, own}, {...enrolment, ...changed}, now))).toBe(expected);
});

test('one passkey is removed once', () => {
  const removal = {passkey_id: 'one', by: 'root'};
  expect(decidePasskeyRemoval(known, removal, now)).toMatchObject({data: {actor: 'root', name: 'ann'}});
  expect(codeOf(decidePasskeyRemoval({...known, removed_at: now}, removal, now))).toBe('PASSKEY_NOT_FOUND');
  expect(codeOf(decidePasskeyRemoval(undefined, removal, now))).toBe('PASSKEY_NOT_FOUND');
});

test.each([
  ['ann', undefined, true],
  ['Ann', undefined, true],
  ['bob', undefined, false],
  ['ann', {issuer: 'https://login.example', subject: 's-1'}, false],
])('a passkey of a token named ann is one of %s %j: %s', (name, person, expected) => {
  expect(isPasskeyOf(known, name, person)).toBe(expected);
});

test.each([
  [0, 0, true],
  [1, 0, true],
  [1, 1, false],
  [0, 1, false],
  [4_294_967_295, 4_294_967_294, true],
])('the count %d follows %d: %s', (count, before, expected) => {
  expect(isNextCount(count, before)).toBe(expected);
});

test('other data counts nothing', () => {
  expect([signCountOf('AAAA'), signCountOf('not base64')]).toEqual([0, 0]);
});
