// A session over many requests: its ids identify the task of its calls.
import {SessionError, type Session, type SessionRequest} from '../../sessions/open-session.ts';
import type {ErrorCode} from '../error-status.ts';
import {failed, type Reply} from '../reply.ts';
import type {HttpHost, Route, RouteOf} from '../route.ts';

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
    const opened = await openSessionOrRefuse(host, {...body, by: caller.name, surface: 'http', outlives_process: true});
    if ('refusal' in opened) return opened.refusal;
    const {task_id, run_id, session_id, by} = opened.session;
    return {status: 201, body: {task_id, run_id, session_id, by}};
  },
};

export async function openSessionOrRefuse(
  host: HttpHost,
  request: SessionRequest,
): Promise<{readonly session: Session} | {readonly refusal: Reply}> {
  try {
    return {session: await host.openSession(request)};
  } catch (error) {
    if (error instanceof SessionError) return {refusal: failed(error.failure)};
    throw error;
  }
}

export const sessionRoutes: readonly Route[] = [createSession];
