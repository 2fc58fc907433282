// Every error code has one status, and internal errors are reported to operators, not to callers.
import {KernelError, type CallErrorCode, type KernelErrorCode} from '@lumenflow/kernel';
import {afterEach, describe, expect, test} from 'vitest';
import {openHttpStage, type HttpStage} from '../../support/http-stage.ts';

let http: HttpStage;
afterEach(() => http.close());

const statuses: Readonly<Record<CallErrorCode, number>> = {
  TOOL_NOT_FOUND: 404,
  SCOPE_DENIED: 403,
  POLICY_DENIED: 403,
  APPROVAL_REQUIRED: 202,
  APPROVAL_LIMIT_REACHED: 429,
  PREVIEW_FAILED: 409,
  SPEC_TAMPERED: 409,
  WRITE_CONFLICT: 409,
  CHANGES_PARKED: 202,
  NOT_REVERTIBLE: 409,
  INVALID_INPUT: 400,
  INVALID_OUTPUT: 422,
  TOOL_EXECUTION_FAILED: 422,
  TASK_NOT_ACTIVE: 409,
  EVIDENCE_UNAVAILABLE: 503,
  TOOL_TIMEOUT: 504,
  TOOL_CANCELLED: 499,
  TOOL_CRASHED: 502,
  LIMIT_EXCEEDED: 429,
  SANDBOX_UNAVAILABLE: 503,
  BACKEND_UNAVAILABLE: 503,
};

test.each([
  ...Object.entries(statuses),
  ['FILE_NOT_FOUND', 422],
  ['UNAUTHENTICATED', 422],
  ['INTERNAL', 422],
  ['A', 422],
])('a call that ends with %s is reported as %i', async (code, status) => {
  const details = {request_id: 'apr-1'};
  http = await openHttpStage({
    scripts: {'files:read': () => ({output: {success: false, error: {code, message: 'as reported', details}}})},
  });
  const called = await http.agent.post('/v1/tools/files:read');
  expect(called).toMatchObject({status, body: {success: false, error: {code, message: 'as reported', details}}});
  expect(called.body.request_id).toBe(code === 'APPROVAL_REQUIRED' || code === 'CHANGES_PARKED' ? 'apr-1' : undefined);
});

test('an output that does not match its schema is not returned', async () => {
  http = await openHttpStage({
    scripts: {'files:read': () => ({output: {success: true, data: Number.NaN}})},
  });
  expect(await http.agent.post('/v1/tools/files:read')).toMatchObject({
    status: 422,
    body: {error: {code: 'INVALID_OUTPUT'}},
  });
});

test('an unknown path is answered with where all paths are described', async () => {
  http = await openHttpStage({});
  expect(await http.agent.get('/v1/evidnce')).toMatchObject({
    status: 404,
    body: {error: {code: 'ROUTE_NOT_FOUND', message: expect.stringContaining('GET /openapi.json')}},
  });
});

test('a workspace that is not the loaded one stops calls, tasks and sessions', async () => {
  let isIntact = true;
  http = await openHttpStage({isIntact: () => isIntact});
  const {task_id} = (await http.agent.post('/v1/sessions')).body;
  isIntact = false;
  for (const [path, body] of [
    ['/v1/tools/files:read', {task_id}],
    ['/v1/tasks', {id: 't', lane_id: 'core'}],
    ['/v1/sessions', {}],
    ['/v1/tools/files:read', {}],
  ] as const) {
    expect(await http.agent.post(path, body)).toMatchObject({status: 409, body: {error: {code: 'SPEC_TAMPERED'}}});
  }
});

test('a log that cannot be written stops calls', async () => {
  http = await openHttpStage({
    evidence: (log) => ({
      ...log,
      append: () => Promise.reject(new KernelError('LOG_UNAVAILABLE', 'the disk is full')),
    }),
  });
  expect(await http.agent.post('/v1/tools/files:read')).toMatchObject({
    status: 503,
    body: {error: {code: 'EVIDENCE_UNAVAILABLE', details: {ran: false}}},
  });
  expect(http.runtime.dispatcher.requests).toEqual([]);
});

describe('what breaks inside', () => {
  const kernelStatuses: Readonly<Record<KernelErrorCode, number>> = {
    LOAD_FAILED: 500,
    RUNTIME_CLOSED: 503,
    LOG_CORRUPT: 500,
    LOG_UNAVAILABLE: 503,
    LOCK_UNAVAILABLE: 503,
    BROKEN_INVARIANT: 500,
  };

  test.each(Object.entries(kernelStatuses))('%s is reported as %i, without its message', async (code, status) => {
    const error = new KernelError(code as KernelErrorCode, 'at /secret/place');
    http = await openHttpStage({signed: (log) => ({...log, verify: () => Promise.reject(error)})});
    const answer = await http.operator.get('/v1/evidence/verify');
    expect(answer).toMatchObject({status, body: {error: {code}}});
    expect(JSON.stringify(answer.body)).not.toContain('secret');
    expect(http.errors).toEqual([error]);
  });

  test('anything else is 500', async () => {
    http = await openHttpStage({signed: (log) => ({...log, verify: () => Promise.reject(new Error('/secret'))})});
    const answer = await http.operator.get('/v1/evidence/verify');
    expect(answer).toMatchObject({status: 500, body: {error: {code: 'INTERNAL'}}});
    expect(JSON.stringify(answer.body)).not.toContain('secret');
    expect(http.errors).toHaveLength(1);
  });
});
