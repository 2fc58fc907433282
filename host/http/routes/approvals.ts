// Approvals: what waits for a person, and the person's answer.
import type {ApprovalFilter} from '@lumenflow/kernel';
import {answer} from '../reply.ts';
import {hasRole, type Route, type RouteOf} from '../route.ts';
import {page, pageProperties, type PageQuery} from './page.ts';

const listApprovals: RouteOf<ApprovalFilter & PageQuery, unknown> = {
  method: 'GET',
  path: '/v1/approvals',
  role: 'agent',
  query: {
    type: 'object',
    properties: {
      state: {type: 'string', enum: ['pending', 'approved', 'rejected', 'used', 'expired']},
      task_id: {type: 'string', maxLength: 128},
      ...pageProperties,
    },
    additionalProperties: false,
  },
  handle({runtime, caller, query}) {
    const seesAll = hasRole(caller, 'operator');
    const approvals = runtime.listApprovals(query).filter((one) => seesAll || one.requested_by === caller.name);
    return page('approvals', approvals, (approval) => approval.request_id, query);
  },
};

interface ResolutionBody {
  readonly approved: boolean;
  readonly reason?: string;
}

const resolveApproval: RouteOf<unknown, ResolutionBody> = {
  method: 'POST',
  path: '/v1/approvals/:id',
  role: 'operator',
  body: {
    type: 'object',
    properties: {approved: {type: 'boolean'}, reason: {type: 'string', maxLength: 4096}},
    required: ['approved'],
    additionalProperties: false,
  },
  async handle({runtime, caller, param, body}) {
    const resolved = await runtime.resolveApproval({...body, request_id: param('id'), approved_by: caller.name});
    return answer(resolved, 200, (approval) => approval);
  },
};

export const approvalRoutes: readonly Route[] = [listApprovals, resolveApproval];
