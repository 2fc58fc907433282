// Requests that must be signed with a passkey, people who have one, and what verification says of their approvals.
import {approvalChallenge, type StandingApproval, type VerifyReport} from '@lumenflow/kernel';
import type {Approvers, PasskeyAssertion, ToolOutput} from '@lumenflow/schemas';
import {expect} from 'vitest';
import {passkeyHost, passkeyOrigin, SoftwarePasskey, type PasskeyKind} from '../../../support/software-passkey.ts';
import type {RuntimeWords, Stage, StagedRuntime} from '../../../support/stage.ts';

/** With one rule, which asks for `files:write`. */
export async function openSigned(
  stage: Stage,
  approvers: Approvers = {passkey: true},
  words: RuntimeWords = {},
): Promise<StagedRuntime> {
  const rule = {
    id: 'ask',
    trigger: 'on_tool_request' as const,
    decision: 'approval_required' as const,
    when: {tool: 'files:write'},
  };
  const policies = {default_decision: 'allow' as const, rules: [{...rule, approvers}]};
  return await stage.open({workspace: {policies}, ...words});
}

export async function enrol(runtime: StagedRuntime, name: string, kind?: PasskeyKind): Promise<SoftwarePasskey> {
  const passkey = new SoftwarePasskey(kind);
  const {passkey_id, public_key} = passkey;
  const key = {passkey_id, public_key, rp_id: passkeyHost, origin: passkeyOrigin, sign_count: 0};
  const added = await runtime.people.addPasskey({...key, name, label: `the key of ${name}`});
  expect(added).toMatchObject({success: true});
  return passkey;
}

export interface Asked {
  call(): Promise<ToolOutput>;
  request(): StandingApproval;
  /** What a passkey signs. */
  readonly challenge: string;
  readonly request_id: string;
  /** The state afterwards, or the code and the message of the refusal. */
  answer(approved_by: string, assertion?: PasskeyAssertion): Promise<string>;
}

export async function ask(runtime: StagedRuntime, task?: string): Promise<Asked> {
  const context = await runtime.startTask(task);
  const call = (): Promise<ToolOutput> => runtime.executeTool('files:write', {}, context);
  const request_id = String((await call()).error?.details?.['request_id']);
  const request = (): StandingApproval => runtime.listApprovals().find((one) => one.request_id === request_id)!;
  const challenge = approvalChallenge(request());
  const answer = async (approved_by: string, assertion?: PasskeyAssertion): Promise<string> => {
    const result = await runtime.resolveApproval({request_id, approved: true, approved_by, assertion});
    return result.success ? result.data.state : `${result.error.code}: ${result.error.message}`;
  };
  return {call, request, challenge, answer, request_id};
}

export async function verified({evidence}: StagedRuntime): Promise<VerifyReport> {
  await evidence.checkpoint();
  return await evidence.verify();
}
