// What a browser returns for a new passkey: read as it is, and refused if a part of it is another one.
import {readEnrolment, type EnrolmentResponse} from '@lumenflow/kernel/node';
import {generateKeyPairSync} from 'node:crypto';
import {expect, test} from 'vitest';
import {passkeyHost, passkeyOrigin, SoftwarePasskey, type Ceremony} from '../../../support/software-passkey.ts';

const expected = {rp_id: passkeyHost, origin: passkeyOrigin, challenge: 'enrol ann'};
const created = (changed: Partial<Ceremony> = {}): EnrolmentResponse =>
  new SoftwarePasskey().create({challenge: 'enrol ann', ...changed});

test.each(['ES256', 'EdDSA', 'RS256'] as const)('a passkey of %s is read with its count', (kind) => {
  const response = new SoftwarePasskey(kind).create({challenge: 'enrol ann', count: 3});
  expect(readEnrolment(response, expected)).toEqual({ok: true, value: {sign_count: 3}});
});

const spki = (key: ReturnType<typeof generateKeyPairSync>['publicKey']): string =>
  key.export({format: 'der', type: 'spki'}).toString('base64');
const smallRsa = spki(generateKeyPairSync('rsa', {modulusLength: 1024}).publicKey);
const otherCurve = spki(generateKeyPairSync('ec', {namedCurve: 'P-384'}).publicKey);

test.each<[string, EnrolmentResponse, string]>([
  ['for another person', created({challenge: 'enrol bob'}), 'it signs another request'],
  ['at another origin', created({origin: 'http://lumenflow.example'}), 'instead of `https://lumenflow.example`'],
  ['for another host name', created({rp_id: 'example'}), 'it is for another host name'],
  ['that is a signature', created({type: 'webauthn.get'}), 'instead of `webauthn.create`'],
  ['without verifying the person', created({flags: 0x41}), 'did not verify the person'],
  ['with another id', {...created(), passkey_id: 'AAAA'}, 'its id is another one'],
  ['with another key', {...created(), public_key: new SoftwarePasskey().public_key}, 'created another key'],
  ['with a key of another curve', {...created(), public_key: otherCurve}, 'not of the kind'],
  ['with a short key', {...created(), public_key: smallRsa}, 'not of the kind'],
  ['without a key', {...created(), public_key: 'AAAA'}, 'not of the kind'],
  ['that ends early', shortened(created()), 'contains no key'],
])('a passkey %s is not enrolled', (_what, response, fault) => {
  expect(readEnrolment(response, expected)).toEqual({ok: false, problem: expect.stringContaining(fault)});
});

function shortened(response: EnrolmentResponse): EnrolmentResponse {
  const data = Buffer.from(response.authenticator_data, 'base64').subarray(0, 50);
  return {...response, authenticator_data: data.toString('base64')};
}
