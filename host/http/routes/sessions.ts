// A session over many requests: its ids identify the task of its calls.
import type {ErrorCode} from '../error-status.ts';
import {failedReply} from '../reply.ts';
import type {Route, RouteOf} from '../route.ts';
import {openHttpSession} from '../sessions/open-http-session.ts';

interface SessionBody {
  readonly lane?: string;
  readonly task_id?: string;
}

/** A session starts with a claim, which can require a new task. */
export const sessionRefusals: readonly ErrorCode[] = [
  'LANE_NOT_FOUND',
  'TASK_NOT_FOUND',
  'TASK_NOT_CLAIMABLE',
  'TASK_SPEC_CHANGED',
  'WIP_LIMIT_REACHED',
  'POLICY_DENIED',
  'APPROVAL_REQUIRED',
  'SPEC_TAMPERED',
  'EVIDENCE_UNAVAILABLE',
];

const createSession: RouteOf<unknown, SessionBody> = {
  method: 'POST',
  path: '/v1/sessions',
  summary: 'Opens a session in a new or an existing task',
  role: 'agent',
  body: {
    type: 'object',
    properties: {
      lane: {type: 'string', maxLength: 128},
      task_id: {type: 'string', maxLength: 128},
    },
    additionalProperties: false,
  },
  answers: {201: 'http_session'},
  refuses: sessionRefusals,
  async handle({host, caller, body}) {
    const owner = {by: caller.name, person: caller.person};
    const session = await openHttpSession(host, {...body, ...owner, surface: 'http', outlives_process: true});
    if (!session.success) return failedReply(session.error);
    const {task_id, run_id, session_id, by} = session;
    return {status: 201, body: {task_id, run_id, session_id, by}};
  },
};

export const sessionRoutes: readonly Route[] = [createSession];
