// Passkeys of the caller: which there are, enrolling another one, and removing one. An admin can remove those of others.
import {readEnrolment, type EnrolmentResponse} from '@lumenflow/kernel/node';
import {hash} from 'node:crypto';
import {enrolmentChallenge, userIdOf} from '../../passkeys/enrolment-challenge.ts';
import {relyingPartyOf} from '../../passkeys/relying-party.ts';
import {answer, okReply, refuse} from '../reply.ts';
import {hasRole, type Route, type RouteOf} from '../route.ts';

const listPasskeys: RouteOf<unknown, unknown> = {
  method: 'GET',
  path: '/v1/passkeys',
  summary: 'Lists the passkeys of the caller, and what a browser needs to create another one',
  role: 'operator',
  answers: {200: 'http_passkey_list'},
  handle({runtime, caller, headers}) {
    const party = relyingPartyOf(runtime.workspace.spec, headers.get('host') ?? '');
    const passkeys = runtime.people.passkeysOf(caller);
    if (!party.ok) return okReply({passkeys, unavailable: party.problem});
    const challenge = hash('sha256', enrolmentChallenge(caller), 'base64');
    const user = {user_id: userIdOf(caller), user_name: caller.name};
    return okReply({passkeys, enrolment: {...party.value, challenge, ...user}});
  },
};

interface EnrolmentBody extends EnrolmentResponse {
  readonly label: string;
}

const bytes = {type: 'string', minLength: 4, maxLength: 8192, pattern: '^[A-Za-z0-9+/]+={0,2}$'};

const addPasskey: RouteOf<unknown, EnrolmentBody> = {
  method: 'POST',
  path: '/v1/passkeys',
  summary: 'Enrols a passkey that the browser of the caller has created',
  role: 'operator',
  body: {
    type: 'object',
    properties: {
      label: {type: 'string', minLength: 1, maxLength: 64, description: 'A name for it'},
      passkey_id: {type: 'string', maxLength: 1400, pattern: '^[A-Za-z0-9_-]+$', description: 'The credential id'},
      public_key: {...bytes, description: 'SubjectPublicKeyInfo, DER as base64: `response.getPublicKey()`'},
      authenticator_data: {...bytes, description: 'As base64: `response.getAuthenticatorData()`'},
      client_data_json: {
        type: 'string',
        minLength: 2,
        maxLength: 8192,
        description: '`response.clientDataJSON` as text',
      },
    },
    required: ['label', 'passkey_id', 'public_key', 'authenticator_data', 'client_data_json'],
    additionalProperties: false,
  },
  answers: {200: 'http_passkey'},
  refuses: ['PASSKEY_INVALID', 'PASSKEY_TAKEN', 'INVALID_INPUT', 'EVIDENCE_UNAVAILABLE'],
  async handle({runtime, caller, headers, body: {label, ...response}}) {
    const {name, person} = caller;
    const party = relyingPartyOf(runtime.workspace.spec, headers.get('host') ?? '');
    if (!party.ok) return refuse('PASSKEY_INVALID', party.problem);
    const read = readEnrolment(response, {...party.value, challenge: enrolmentChallenge(caller)});
    if (!read.ok) return refuse('PASSKEY_INVALID', `this passkey cannot be enrolled: ${read.problem}`);
    const {passkey_id, public_key} = response;
    const key = {passkey_id, public_key, ...party.value, ...read.value};
    return answer(await runtime.people.addPasskey({name, person, label, ...key}), 200, (passkey) => passkey);
  },
};

const removePasskey: RouteOf<unknown, unknown> = {
  method: 'DELETE',
  path: '/v1/passkeys/:id',
  summary: 'Removes a passkey of the caller; an admin removes that of anyone',
  role: 'operator',
  answers: {200: 'http_passkey'},
  refuses: ['PASSKEY_NOT_FOUND', 'EVIDENCE_UNAVAILABLE'],
  async handle({runtime, caller, param}) {
    const passkey_id = param('id');
    const isOwn = runtime.people.passkeysOf(caller).some((passkey) => passkey.passkey_id === passkey_id);
    if (!isOwn && !hasRole(caller, 'admin')) return refuse('PASSKEY_NOT_FOUND', 'you have no such passkey');
    return answer(await runtime.people.removePasskey({passkey_id, by: caller.name}), 200, (passkey) => passkey);
  },
};

const listAllPasskeys: RouteOf<unknown, unknown> = {
  method: 'GET',
  path: '/v1/people/passkeys',
  summary: 'Lists the passkeys of all people, removed ones too',
  role: 'admin',
  answers: {200: 'http_passkey_list'},
  handle: ({runtime}) => okReply({passkeys: runtime.people.listPasskeys()}),
};

export const passkeyRoutes: readonly Route[] = [
  listPasskeys,
  addPasskey,
  removePasskey,
  listAllPasskeys,
] as readonly Route[];
