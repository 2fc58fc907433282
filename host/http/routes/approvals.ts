// Approvals: pending requests and their answers.
import {answerApproval} from '../../changes/answer-approval.ts';
import {
  approvalChallenge,
  requiresPasskey,
  type ApprovalFilter,
  type KernelRuntime,
  type StandingApproval,
} from '@lumenflow/kernel';
import type {HttpSigning, PasskeyAssertion} from '@lumenflow/schemas';
import {hash} from 'node:crypto';
import {readPreview} from '../../approvals/read-preview.ts';
import {summarizeInput} from '../../approvals/summarize-input.ts';
import {changesOfApproval} from '../../changes/changes-of-approval.ts';
import {answer, okReply, refuse} from '../reply.ts';
import {hasRole, type Route, type RouteOf} from '../route.ts';
import type {Principal} from '../tokens/token-store.ts';
import {page, pageProperties, type PageQuery} from './page.ts';

const listApprovals: RouteOf<ApprovalFilter & PageQuery, unknown> = {
  method: 'GET',
  path: '/v1/approvals',
  summary: 'Lists approval requests',
  role: 'agent',
  query: {
    type: 'object',
    properties: {
      state: {type: 'string', enum: ['pending', 'approved', 'rejected', 'used', 'expired', 'withdrawn']},
      task_id: {type: 'string', maxLength: 128},
      ...pageProperties,
    },
    additionalProperties: false,
  },
  answers: {200: 'http_approval_page'},
  handle({runtime, caller, query}) {
    const seesAll = hasRole(caller, 'operator');
    const approvals = runtime.listApprovals(query).filter((one) => seesAll || one.requested_by === caller.name);
    const show = async (approval: StandingApproval): Promise<object> => {
      const input_summary = await summaryOf(runtime, approval);
      return {...approval, ...(input_summary !== undefined && {input_summary})};
    };
    return page('approvals', approvals, {idOf: ({request_id}) => request_id, show}, query);
  },
};

/** Undefined if the request is not for a call, or if its input was redacted. */
async function summaryOf({evidence}: KernelRuntime, {input_ref}: StandingApproval): Promise<string | undefined> {
  const text = input_ref === undefined ? undefined : await evidence.readBlob(input_ref);
  return text === undefined ? undefined : summarizeInput(JSON.parse(text));
}

const showApproval: RouteOf<unknown, unknown> = {
  method: 'GET',
  path: '/v1/approvals/:id',
  summary: 'Returns a request with the input of the call, its effect and the current policy decision',
  role: 'operator',
  answers: {200: 'http_approval'},
  refuses: ['APPROVAL_NOT_FOUND'],
  async handle({runtime, caller, param}) {
    const approval = runtime.listApprovals().find(({request_id}) => request_id === param('id'));
    if (!approval) return refuse('APPROVAL_NOT_FOUND', `there is no request \`${param('id')}\``);
    const {input_ref, subject} = approval;
    const text = input_ref === undefined ? undefined : await runtime.evidence.readBlob(input_ref);
    const input: unknown = text === undefined ? undefined : JSON.parse(text);
    const {task_id, run_id, session_id, tool_name} = subject;
    const isCall = subject.kind === 'call' && tool_name !== undefined && run_id !== undefined && input !== undefined;
    const explanation = isCall
      ? await runtime.explainTool(tool_name, input, {task_id, run_id, session_id, by: approval.requested_by})
      : undefined;
    const preview_output = await readPreview(runtime, approval);
    const changes = await changesOfApproval(runtime, subject);
    const notifications = runtime.notifications.statusesOf(approval.request_id);
    const signing = signingOf(runtime, approval, caller);
    return okReply({
      ...approval,
      ...(signing && {signing}),
      ...(input !== undefined && {input}),
      ...(preview_output !== undefined && {preview_output}),
      ...(explanation && {explanation}),
      ...(changes && {changes}),
      ...(notifications.length > 0 && {notifications}),
    });
  },
};

/** How the caller can sign it; undefined if no signature is required. */
function signingOf({people}: KernelRuntime, approval: StandingApproval, caller: Principal): HttpSigning | undefined {
  if (approval.state !== 'pending' || !requiresPasskey(approval)) return undefined;
  const challenge = hash('sha256', approvalChallenge(approval), 'base64');
  return {challenge, passkeys: [...people.passkeysOf(caller)]};
}

interface ResolutionBody {
  readonly approved: boolean;
  readonly reason?: string;
  readonly assertion?: PasskeyAssertion;
}

const bytes = {type: 'string', minLength: 4, maxLength: 8192, pattern: '^[A-Za-z0-9+/]+={0,2}$'};

/** `passkey_assertion` of event.schema.json. */
const assertionShape = {
  type: 'object',
  description: 'The signature of a passkey of the caller, where the rules require one: see `signing` of the request',
  properties: {
    passkey_id: {type: 'string', maxLength: 1400, pattern: '^[A-Za-z0-9_-]+$', description: 'The credential id'},
    authenticator_data: {...bytes, description: 'As base64'},
    client_data_json: {type: 'string', minLength: 2, maxLength: 8192, description: 'As text'},
    signature: {...bytes, description: 'As base64'},
  },
  required: ['passkey_id', 'authenticator_data', 'client_data_json', 'signature'],
  additionalProperties: false,
};

const resolveApproval: RouteOf<unknown, ResolutionBody> = {
  method: 'POST',
  path: '/v1/approvals/:id',
  summary: 'Approves or rejects a request',
  role: 'operator',
  body: {
    type: 'object',
    properties: {approved: {type: 'boolean'}, reason: {type: 'string', maxLength: 4096}, assertion: assertionShape},
    required: ['approved'],
    additionalProperties: false,
  },
  answers: {200: 'http_approval'},
  refuses: [
    'APPROVAL_NOT_FOUND',
    'APPROVAL_RESOLVED',
    'APPROVAL_EXPIRED',
    'APPROVAL_WITHDRAWN',
    'SELF_APPROVAL',
    'APPROVER_NOT_NAMED',
    'PASSKEY_REQUIRED',
    'PASSKEY_INVALID',
    'INVALID_INPUT',
    'WRITE_CONFLICT',
    'CHANGES_NOT_KEPT',
    'EVIDENCE_UNAVAILABLE',
  ],
  async handle({runtime, caller, param, body}) {
    const resolved = await answerApproval(runtime, {
      ...body,
      request_id: param('id'),
      approved_by: caller.name,
      person: caller.person,
    });
    return answer(resolved, 200, (approval) => approval);
  },
};

const withdrawApproval: RouteOf<unknown, {readonly reason?: string}> = {
  method: 'POST',
  path: '/v1/approvals/:id/withdraw',
  summary: 'Withdraws a request of the principal',
  role: 'agent',
  body: {
    type: 'object',
    properties: {reason: {type: 'string', maxLength: 4096}},
    additionalProperties: false,
  },
  answers: {200: 'http_approval'},
  refuses: ['APPROVAL_NOT_FOUND', 'APPROVAL_RESOLVED', 'APPROVAL_OF_ANOTHER', 'EVIDENCE_UNAVAILABLE'],
  async handle({runtime, caller, param, body}) {
    const withdrawn = await runtime.withdrawApproval({...body, request_id: param('id'), by: caller.name});
    return answer(withdrawn, 200, (approval) => approval);
  },
};

export const approvalRoutes: readonly Route[] = [listApprovals, showApproval, resolveApproval, withdrawApproval];
