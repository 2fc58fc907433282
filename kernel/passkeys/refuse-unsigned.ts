// Whether an approval is signed as its rules require: by a passkey that its person has now, over exactly this request.
import type {PasskeyAssertion, PolicyDecision} from '@lumenflow/schemas';
import type {ApprovalRecord} from '../approvals/approval-record.ts';
import type {ApprovalResolution} from '../approvals/decide-approval.ts';
import {fail, type TransitionResult} from '../transition.ts';
import {approvalChallenge} from './approval-challenge.ts';
import {isPasskeyOf, type PasskeyRecord} from './passkey-record.ts';
import type {PasskeyVerifier} from '../passkey-verifier.ts';
import {isNextCount, signCountOf} from './sign-count.ts';

export interface SigningTerms {
  /** By `passkey_id`. */
  readonly passkeys: {get(id: string): PasskeyRecord | undefined};
  readonly verifier: PasskeyVerifier | undefined;
  /** Where people open the dashboard, if workspace.yaml says so. */
  readonly url: string | undefined;
}

/** A rule with a warning was overruled: it requires nothing. */
export function requiresPasskey({rules}: {readonly rules: readonly PolicyDecision[]}): boolean {
  return rules.some(({approvers, warning}) => approvers?.passkey === true && warning === undefined);
}

/** The failure to answer with; undefined if the answer counts. */
export function refuseUnsigned(
  approval: ApprovalRecord,
  {approved, approved_by, person, assertion}: ApprovalResolution,
  {passkeys, verifier, url}: SigningTerms,
): TransitionResult<never> | undefined {
  const {request_id} = approval;
  if (assertion === undefined) {
    if (!approved || !requiresPasskey(approval)) return undefined;
    const page = url === undefined ? 'in the dashboard' : `at ${url}/#/approvals/${request_id}`;
    const message = `an approval of request \`${request_id}\` must be signed with a passkey: approve it ${page}`;
    return fail('PASSKEY_REQUIRED', message, {request_id});
  }
  if (!approved) return fail('INVALID_INPUT', 'only an approval is signed with a passkey, not a rejection');
  const passkey = passkeys.get(assertion.passkey_id);
  const fault =
    passkey === undefined || passkey.removed_at !== undefined || !isPasskeyOf(passkey, approved_by, person)
      ? `\`${approved_by}\` has no such passkey: sign with another one, or enrol one in the dashboard`
      : faultOf(approval, {assertion, passkey, verifier});
  return fault === undefined ? undefined : fail('PASSKEY_INVALID', fault, {request_id});
}

function faultOf(
  {request_id, binding}: ApprovalRecord,
  given: {
    readonly assertion: PasskeyAssertion;
    readonly passkey: PasskeyRecord;
    readonly verifier: PasskeyVerifier | undefined;
  },
): string | undefined {
  const {assertion, passkey, verifier} = given;
  if (verifier === undefined) return 'this runtime cannot check passkeys: approve the request through another host';
  const fault = verifier.faultOf(assertion, passkey, approvalChallenge({request_id, binding}));
  if (fault !== undefined) return `the signature of the passkey \`${passkey.label}\` does not count: ${fault}`;
  if (isNextCount(signCountOf(assertion.authenticator_data), passkey.sign_count)) return undefined;
  return `the passkey \`${passkey.label}\` has counted this signature before: approve again; if this continues, the passkey was copied: remove it`;
}
