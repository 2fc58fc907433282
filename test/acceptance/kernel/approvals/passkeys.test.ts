// Approvals that a rule requires to be signed with a passkey. What the kernel refuses, verification finds in the log of a host that
// accepted it.
import {approvalChallenge} from '@lumenflow/kernel';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {SoftwarePasskey, type Ceremony} from '../../../support/software-passkey.ts';
import {createStage, type RuntimeWords, type Stage} from '../../../support/stage.ts';
import {stateKinds} from '../../../support/state-home.ts';
import {ask, enrol, openSigned, verified} from './signed-approvals.fixture.ts';

let stage: Stage;
afterEach(() => stage.close());

const trusting: RuntimeWords['passkeys'] = {faultOf: () => undefined};
const person = (subject: string) => ({issuer: 'https://login.example', subject});
const open = (...options: OpenOptions) => openSigned(stage, ...options);
type OpenOptions = Parameters<typeof openSigned> extends [Stage, ...infer Rest] ? Rest : never;

describe.each(stateKinds)('state $name', (kind) => {
  beforeEach(() => {
    stage = createStage(kind);
  });

  test.each(['ES256', 'EdDSA', 'RS256'] as const)('a signature of %s lets exactly this call through', async (of) => {
    const runtime = await open();
    const passkey = await enrol(runtime, 'ann', of);
    const {call, answer, request, challenge} = await ask(runtime);
    expect(request().missing).toEqual([{rule_id: 'ask', count: 1, passkey: true}]);
    expect(await answer('ann')).toMatch(
      /^PASSKEY_REQUIRED: an approval of request `.*` must be signed with a passkey/u,
    );
    expect(await answer('ann', passkey.sign({challenge}))).toBe('approved');
    expect(request().answers).toMatchObject([{by: 'ann', passkey_id: passkey.passkey_id}]);
    expect((await call()).success).toBe(true);
    expect(await verified(runtime)).toMatchObject({status: 'verified', signed_approvals: 1, findings: []});
    const [known] = runtime.people.listPasskeys();
    expect(known).toMatchObject({label: 'the key of ann', sign_count: 1, last_used_at: stage.clock.timestamp()});
  });
});

describe('an approval that does not count', () => {
  beforeEach(() => {
    stage = createStage(stateKinds[0]!);
  });

  test.each<[string, Partial<Ceremony>, string]>([
    ['at another origin', {origin: 'https://lumenflow.example.evil.example'}, 'it was made at'],
    ['over another request', {challenge: approvalChallenge({request_id: 'apr-9', binding: 'b'})}, 'another request'],
    ['over nothing', {challenge: ''}, 'another request'],
    ['for another host name', {rp_id: 'evil.example'}, 'another host name than `lumenflow.example`'],
    ['without a person', {flags: 0x04}, 'no person touched'],
    ['without verifying the person', {flags: 0x01}, 'did not verify the person'],
    ['that creates a passkey', {type: 'webauthn.create'}, 'it is of the type `webauthn.create`'],
    ['in a frame of another site', {crossOrigin: true}, 'inside a page of another site'],
  ])('a signature %s: the kernel refuses it, and verification finds it', async (_what, wrong, fault) => {
    const runtime = await open();
    const passkey = await enrol(runtime, 'ann');
    const {challenge, answer, request} = await ask(runtime);
    expect(await answer('ann', passkey.sign({challenge, ...wrong}))).toMatch(/^PASSKEY_INVALID: /u);
    expect(await answer('ann', passkey.sign({challenge, ...wrong}))).toContain(fault);
    expect(request().state).toBe('pending');
    await runtime.close();

    const lax = await open(undefined, {passkeys: trusting});
    const again = await ask(lax, 'task-2');
    expect(await again.answer('ann', passkey.sign({challenge: again.challenge, ...wrong}))).toBe('approved');
    expect(await verified(lax)).toMatchObject({
      status: 'unapproved',
      signed_approvals: 0,
      findings: [expect.stringMatching(/: the approval of `.*` by `ann` has a signature that does not count: /u)],
    });
    expect((await verified(lax)).findings[0]).toContain(fault);
  });

  test('a changed signature, other data, another client: refused', async () => {
    const runtime = await open();
    const passkey = await enrol(runtime, 'ann');
    const {challenge, answer} = await ask(runtime);
    const signed = passkey.sign({challenge});
    const other = new SoftwarePasskey().sign({challenge});
    const {authenticator_data} = passkey.sign({challenge, count: 9});
    for (const changed of [
      {signature: other.signature},
      {signature: 'AAAA'},
      {authenticator_data},
      {client_data_json: `${signed.client_data_json} `},
    ]) {
      expect(await answer('ann', {...signed, ...changed})).toContain('its signature is wrong');
    }
    expect(await answer('ann', signed)).toBe('approved');
  });

  test.each([
    ['not JSON', {client_data_json: 'null'}, 'is not JSON'],
    ['a text', {client_data_json: '{'}, 'is not JSON'],
    ['short', {authenticator_data: 'AAAA'}, 'is too short'],
  ])('data that is %s is refused', async (_what, changed, fault) => {
    const runtime = await open();
    const passkey = await enrol(runtime, 'ann');
    const {challenge, answer} = await ask(runtime);
    expect(await answer('ann', {...passkey.sign({challenge}), ...changed})).toContain(fault);
  });

  test("another person's passkey, an unknown, a removed one, and that of a name's earlier owner are refused", async () => {
    const runtime = await open();
    const [anns, bobs] = [await enrol(runtime, 'ann'), await enrol(runtime, 'bob')];
    const {challenge, request_id, answer} = await ask(runtime);
    const none = 'PASSKEY_INVALID: `ann` has no such passkey';
    expect(await answer('ann', bobs.sign({challenge}))).toContain(none);
    expect(await answer('ann', new SoftwarePasskey().sign({challenge}))).toContain(none);
    const assertion = anns.sign({challenge});
    const asPerson = {request_id, approved: true, approved_by: 'ann', person: person('s-1'), assertion};
    expect(await runtime.resolveApproval(asPerson)).toMatchObject({error: {code: 'PASSKEY_INVALID'}});
    const {passkey_id} = anns;
    expect(await runtime.people.removePasskey({passkey_id, by: 'ann'})).toMatchObject({success: true});
    expect(await answer('ann', assertion)).toContain(none);
    expect(await runtime.people.removePasskey({passkey_id, by: 'ann'})).toMatchObject({
      error: {code: 'PASSKEY_NOT_FOUND'},
    });
  });

  test('a signature for one request approves no other, also of the same call', async () => {
    const runtime = await open();
    const passkey = await enrol(runtime, 'ann');
    const [one, other] = [await ask(runtime), await ask(runtime, 'task-2')];
    const assertion = passkey.sign({challenge: one.challenge});
    expect(await other.answer('ann', assertion)).toContain('it signs another request');
    expect(await one.answer('ann', assertion)).toBe('approved');
    expect(await one.answer('ann', assertion)).toContain('APPROVAL_RESOLVED');
  });

  test('a count that does not grow is of a copy', async () => {
    const runtime = await open({passkey: true, count: 2});
    const passkey = await enrol(runtime, 'ann');
    const [one, other] = [await ask(runtime), await ask(runtime, 'task-2')];
    expect(await one.answer('ann', passkey.sign({challenge: one.challenge, count: 7}))).toBe('pending');
    const copied = passkey.sign({challenge: other.challenge, count: 7});
    expect(await other.answer('ann', copied)).toContain('has counted this signature before');
    expect(await other.answer('ann', passkey.sign({challenge: other.challenge, count: 8}))).toBe('pending');
  });

  test('passkeys that count nothing always show 0', async () => {
    const runtime = await open();
    const passkey = await enrol(runtime, 'ann');
    for (const task of ['task-1', 'task-2']) {
      const {challenge, answer} = await ask(runtime, task);
      expect(await answer('ann', passkey.sign({challenge, count: 0}))).toBe('approved');
    }
    expect(await verified(runtime)).toMatchObject({status: 'verified', signed_approvals: 2});
  });

  test('two of a group sign, each with their own; a rejection needs no signature, and none is accepted', async () => {
    const runtime = await open({passkey: true, by: ['ann', 'bob'], count: 2});
    const [anns, bobs] = [await enrol(runtime, 'ann'), await enrol(runtime, 'bob')];
    const {challenge, answer, call} = await ask(runtime);
    expect(await answer('ann', anns.sign({challenge}))).toBe('pending');
    expect(await answer('bob')).toContain('PASSKEY_REQUIRED');
    expect(await answer('bob', bobs.sign({challenge}))).toBe('approved');
    expect((await call()).success).toBe(true);
    const {request_id, challenge: another} = await ask(runtime, 'task-2');
    const rejection = {request_id, approved: false, approved_by: 'ann'};
    const signed = {...rejection, assertion: anns.sign({challenge: another})};
    expect(await runtime.resolveApproval(signed)).toMatchObject({error: {code: 'INVALID_INPUT'}});
    expect(await runtime.resolveApproval(rejection)).toMatchObject({data: {state: 'rejected'}});
    expect(await verified(runtime)).toMatchObject({status: 'verified', signed_approvals: 2});
  });

  test('a runtime without a verifier counts none', async () => {
    const runtime = await open(undefined, {passkeys: {faultOf: () => 'this verifier trusts nobody'}});
    const passkey = await enrol(runtime, 'ann');
    const {challenge, answer} = await ask(runtime);
    expect(await answer('ann', passkey.sign({challenge}))).toContain('this verifier trusts nobody');
  });
});
