// Checks approvals that a rule requires to be signed with a passkey: against the request in the log, and the passkeys that its person had at
// that point of the log. What the host concluded then is not used.
import {approvalChallenge, missingText, requiresPasskey, type PasskeyRecord} from '@lumenflow/kernel';
import {
  canonicalJson,
  isNextCount,
  isPasskeyOf,
  missingApprovals,
  signCountOf,
  type ApprovalAnswer,
} from '@lumenflow/kernel/adapters';
import type {ApprovalRequested, ApprovalResolved, KernelEvent, PasskeyAssertion} from '@lumenflow/schemas';
import {passkeyVerifier} from '../passkeys/passkey-verifier.ts';
import {sha256Hex} from '../system/sha256.ts';
import type {VerifyFinding} from './verify-finding.ts';
import type {LineAt} from './verify-log.ts';

type Passkey = Pick<PasskeyRecord, 'name' | 'person' | 'public_key' | 'rp_id' | 'origin' | 'label'>;

interface Request extends Pick<ApprovalRequested, 'binding' | 'subject' | 'rules'> {
  readonly requested_by: string;
  /** Approvals with a valid signature. */
  readonly answers: ApprovalAnswer[];
}

export class ApprovalCheck {
  readonly #findings: VerifyFinding[];
  /** Requests that can still be answered. */
  readonly #open = new Map<string, Request>();
  readonly #passkeys = new Map<string, Passkey>();
  readonly #counts = new Map<string, number>();
  /** Approvals with a valid signature. */
  signed = 0;

  constructor(findings: VerifyFinding[]) {
    this.#findings = findings;
  }

  /** Must be called for each event, in order. */
  noteEvent(event: KernelEvent, at: LineAt): void {
    if (event.type === 'approval_requested') {
      const {request_id, binding, subject, rules, actor} = event;
      this.#open.set(request_id, {binding, subject, rules, requested_by: actor, answers: []});
    }
    if (event.type === 'approval_used') this.#noteUse(event.request_id, at);
    if (event.type === 'approval_used' || event.type === 'approval_withdrawn') this.#open.delete(event.request_id);
    if (event.type === 'person_passkey_removed') this.#passkeys.delete(event.passkey_id);
    if (event.type === 'person_passkey_added') {
      this.#passkeys.set(event.passkey_id, event);
      this.#counts.set(event.passkey_id, event.sign_count);
    }
    if (event.type === 'approval_resolved') this.#noteAnswer(event, at);
  }

  #noteAnswer(event: ApprovalResolved, at: LineAt): void {
    const {request_id, approved, assertion} = event;
    const request = this.#open.get(request_id);
    if (!approved) this.#open.delete(request_id);
    const isRequired = approved && request !== undefined && requiresPasskey(request);
    if (assertion === undefined && !isRequired) return;
    const fault = assertion
      ? this.#faultOf(event, assertion, request)
      : 'is not signed, and its rule requires a passkey';
    if (fault === undefined) {
      this.signed += 1;
      request?.answers.push({by: event.actor, at: event.timestamp});
    } else this.#report(`${at.where()}: the approval of \`${request_id}\` by \`${event.actor}\` ${fault}`);
  }

  /** An approval that was never recorded cannot be used either. */
  #noteUse(requestId: string, at: LineAt): void {
    const request = this.#open.get(requestId);
    if (request === undefined || !requiresPasskey(request)) return;
    const missing = missingApprovals(request, request.answers);
    if (missing.length === 0) return;
    this.#report(`${at.where()}: \`${requestId}\` was used, and ${missingText(missing)}`);
  }

  #faultOf(
    {request_id, actor, person}: ApprovalResolved,
    assertion: PasskeyAssertion,
    request: Request | undefined,
  ): string | undefined {
    const {passkey_id, authenticator_data} = assertion;
    if (request === undefined) return 'is signed, and the log has no open request for it';
    const binding = sha256Hex(canonicalJson(request.subject));
    if (binding !== request.binding) return 'is for a request whose binding is not the digest of its subject';
    const passkey = this.#passkeys.get(passkey_id);
    if (passkey === undefined || !isPasskeyOf(passkey, actor, person)) {
      return `is signed with \`${passkey_id}\`, which was not a passkey of this person then`;
    }
    const fault = passkeyVerifier.faultOf(assertion, passkey, approvalChallenge({request_id, binding}));
    if (fault !== undefined) return `has a signature that does not count: ${fault}`;
    const before = this.#counts.get(passkey_id) ?? 0;
    const count = signCountOf(authenticator_data);
    this.#counts.set(passkey_id, count);
    return isNextCount(count, before)
      ? undefined
      : `has the count ${count} of a passkey that had already counted ${before}`;
  }

  #report(text: string): void {
    this.#findings.push({status: 'unapproved', text});
  }
}
