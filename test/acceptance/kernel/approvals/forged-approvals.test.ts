// Verification of signed approvals in a log that a host forged: it believes nothing that the host concluded.
import type {VerifyReport} from '@lumenflow/kernel';
import type {EventLog, NewEvent} from '@lumenflow/kernel/adapters';
import type {PasskeyAssertion} from '@lumenflow/schemas';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {SoftwarePasskey} from '../../../support/software-passkey.ts';
import {createStage, type Stage} from '../../../support/stage.ts';
import {stateKinds} from '../../../support/state-home.ts';
import {ask, enrol, openSigned, verified} from './signed-approvals.fixture.ts';

let stage: Stage;
afterEach(() => stage.close());

/** A host that writes something else than the kernel decided. */
const forging =
  (forge: (event: NewEvent) => NewEvent) =>
  (log: EventLog): EventLog => ({
    ...log,
    refresh: () => log.refresh(),
    read: (range) => log.read(range),
    onEvent: (listener, after) => log.onEvent(listener, after),
    transact: (decide) =>
      log.transact(() => {
        const {events, result} = decide();
        return {events: events.map(forge), result};
      }),
  });

describe('verification of a log that a host forged', () => {
  beforeEach(() => {
    stage = createStage(stateKinds[0]!);
  });

  interface Keys {
    readonly ann: SoftwarePasskey;
    readonly removed: SoftwarePasskey;
    readonly bob: SoftwarePasskey;
  }
  type Forgery = (assertion: PasskeyAssertion, keys: Keys, challenge: string) => PasskeyAssertion | undefined;

  /** Two approvals, of which the host forges the second one. It signs its checkpoints itself, so the log is sound. */
  async function forged(
    forge: Forgery,
    change: (event: NewEvent) => NewEvent = (event) => event,
  ): Promise<VerifyReport> {
    let forgeNow = (assertion: PasskeyAssertion): PasskeyAssertion | undefined => assertion;
    const write = (event: NewEvent): NewEvent => {
      if (event.type !== 'approval_resolved' || event.assertion === undefined) return change(event);
      const {assertion, ...rest} = event;
      const other = forgeNow(assertion);
      return {...rest, ...(other && {assertion: other})};
    };
    const runtime = await openSigned(stage, undefined, {events: forging(write)});
    const keys = {
      ann: await enrol(runtime, 'ann'),
      removed: await enrol(runtime, 'ann'),
      bob: await enrol(runtime, 'bob'),
    };
    const before = await ask(runtime, 'task-2');
    expect(await before.answer('ann', keys.removed.sign({challenge: before.challenge}))).toBe('approved');
    await runtime.people.removePasskey({passkey_id: keys.removed.passkey_id, by: 'root'});
    const {call, challenge, answer} = await ask(runtime);
    forgeNow = (assertion) => forge(assertion, keys, challenge);
    expect(await answer('ann', keys.ann.sign({challenge}))).toBe('approved');
    expect((await call()).success).toBe(true);
    return await verified(runtime);
  }

  test('finds nothing in an honest one: a removed passkey counts for what it signed before', async () => {
    expect(await forged((assertion) => assertion)).toMatchObject({
      status: 'verified',
      signed_approvals: 2,
      findings: [],
    });
  });

  test.each<[string, Forgery, string]>([
    ['no signature', () => undefined, 'is not signed, and its rule requires a passkey'],
    [
      'a signature of another person',
      (_, {bob}, challenge) => bob.sign({challenge}),
      'was not a passkey of this person',
    ],
    [
      'one of a removed passkey',
      (_, {removed}, challenge) => removed.sign({challenge}),
      'was not a passkey of this person',
    ],
    [
      'one of an unknown passkey',
      (_, __, challenge) => new SoftwarePasskey().sign({challenge}),
      'was not a passkey of',
    ],
    ['one over another call', (_, {ann}) => ann.sign({challenge: 'another'}), 'it signs another request'],
    ['a changed one', (assertion) => ({...assertion, signature: 'AAAA'}), 'its signature is wrong'],
    ['one with a changed origin', changedOrigin, 'it was made at `https://evil.example`'],
  ])('finds an approval with %s, and that it was used', async (_what, forge, fault) => {
    const {status, signed_approvals, findings} = await forged(forge);
    expect([status, signed_approvals]).toEqual(['unapproved', 1]);
    expect(findings).toEqual([
      expect.stringContaining(fault),
      expect.stringContaining('was used, and it waits for one more person (signed with a passkey)'),
    ]);
  });

  test('finds another call under the binding that was signed', async () => {
    const {status, findings} = await forged(
      (assertion) => assertion,
      (event) =>
        event.type === 'approval_requested' && event.subject.task_id === 'task-1'
          ? {...event, subject: {...event.subject, policy_digest: '0'.repeat(64)}}
          : event,
    );
    expect(status).toBe('unapproved');
    expect(findings[0]).toContain('is for a request whose binding is not the digest of its subject');
  });

  function changedOrigin(assertion: PasskeyAssertion): PasskeyAssertion {
    const {client_data_json} = assertion;
    return {...assertion, client_data_json: client_data_json.replace('lumenflow.example', 'evil.example')};
  }
});
