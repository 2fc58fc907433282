// Changes that were not applied at the end of their call, and an operator's decision about them.
import type {KeptChanges} from '@lumenflow/kernel';
import {settleChanges} from '../../changes/settle-changes.ts';
import {answer} from '../reply.ts';
import type {Route, RouteOf} from '../route.ts';
import {page, pageProperties, type PageQuery} from './page.ts';

interface ListQuery extends PageQuery {
  readonly unsettled?: boolean;
  readonly state?: KeptChanges['state'];
}

const isUnsettled = ({state}: KeptChanges): boolean => state !== 'applied' && state !== 'discarded';

const listChanges: RouteOf<ListQuery, unknown> = {
  method: 'GET',
  path: '/v1/changes',
  summary: 'Lists changes that wait for approval or were kept because of a conflict',
  role: 'operator',
  query: {
    type: 'object',
    properties: {
      unsettled: {type: 'boolean', description: 'Only changes that are neither applied nor discarded'},
      state: {type: 'string', enum: ['parked', 'settling', 'applied', 'discarded', 'conflict', 'failed']},
      ...pageProperties,
    },
    additionalProperties: false,
  },
  answers: {200: 'http_kept_changes_page'},
  async handle({runtime, query}) {
    const {unsettled = false, state} = query;
    const all = await runtime.changes.list();
    const kept = all.filter((one) => (!unsettled || isUnsettled(one)) && (state === undefined || one.state === state));
    return page('changes', kept.map(shapeOf), {idOf: ({receipt_id}) => receipt_id}, query);
  },
};

function settle(intent: 'apply' | 'discard', summary: string): RouteOf<unknown, {readonly reason?: string}> {
  return {
    method: 'POST',
    path: `/v1/changes/:receipt/${intent}`,
    summary,
    role: 'operator',
    body: {
      type: 'object',
      properties: intent === 'apply' ? {} : {reason: {type: 'string', maxLength: 4096}},
      additionalProperties: false,
    },
    answers: {200: 'http_kept_changes'},
    refuses: [
      'INVALID_INPUT',
      'CHANGES_NOT_KEPT',
      'WRITE_CONFLICT',
      'APPROVAL_REQUIRED',
      'APPROVAL_NOT_FOUND',
      'APPROVAL_RESOLVED',
      'APPROVAL_EXPIRED',
      'APPROVAL_WITHDRAWN',
      'SELF_APPROVAL',
      'APPROVER_NOT_NAMED',
      'EVIDENCE_UNAVAILABLE',
    ],
    async handle({runtime, caller, param, body}) {
      const command = {...body, receipt_id: param('receipt'), intent, by: caller.name, person: caller.person};
      return answer(await settleChanges(runtime, command), 200, shapeOf);
    },
  };
}

/** Omits internals of the process that settles the changes. */
function shapeOf(kept: KeptChanges): Omit<KeptChanges, 'process_id' | 'intent'> {
  const {receipt_id, request_id, state, settled_by, settled_by_person, settled_at, conflicts, reason} = kept;
  return {
    receipt_id,
    state,
    ...(request_id !== undefined && {request_id}),
    ...(settled_by !== undefined && {settled_by}),
    ...(settled_by_person && {settled_by_person}),
    ...(settled_at !== undefined && {settled_at}),
    ...(conflicts && {conflicts}),
    ...(reason !== undefined && {reason}),
  };
}

export const changesRoutes: readonly Route[] = [
  listChanges,
  settle('apply', 'Applies kept changes; parked changes need the approval of their request'),
  settle('discard', 'Discards kept changes; for parked changes it rejects the request'),
];
