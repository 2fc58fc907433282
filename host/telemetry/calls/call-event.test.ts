// The attributes that class 6003 of OCSF 1.5.0 requires, and their values.
import {expect, test} from 'vitest';
import {callEvent} from './call-event.ts';
import {exampleCall, secret} from './example-call.fixture.ts';

/** Required by the class and its profile, or by an object that the event contains. */
const required: readonly (readonly [path: string, type: string])[] = [
  ['activity_id', 'number'],
  ['category_uid', 'number'],
  ['class_uid', 'number'],
  ['type_uid', 'number'],
  ['severity_id', 'number'],
  ['time', 'number'],
  ['actor', 'object'],
  ['actor.user.name', 'string'],
  ['api', 'object'],
  ['api.operation', 'string'],
  ['src_endpoint.svc_name', 'string'],
  ['metadata.version', 'string'],
  ['metadata.product.vendor_name', 'string'],
  ['action_id', 'number'],
  ['disposition_id', 'number'],
];

function at(event: object, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], event);
}

test.each([
  ['an allowed read', exampleCall(), {activity_id: 2, severity_id: 1, action_id: 1, status_id: 1}],
  ['a write', exampleCall({writes: 'transactional'}), {activity_id: 3, severity_id: 1}],
  ['a request', exampleCall({scope_requested: [{type: 'network', posture: 'full'}]}), {activity_id: 99}],
  [
    'a denied call',
    exampleCall({}, {result: 'denied', error_code: 'POLICY_DENIED'}),
    {severity_id: 2, action_id: 2, disposition_id: 2, status_id: 2, status_code: 'POLICY_DENIED'},
  ],
  ['a crash', exampleCall({}, {result: 'crashed', error_code: 'TOOL_CRASHED'}), {severity_id: 3, action_id: 1}],
])('%s is a complete event', (_name, call, expected) => {
  const event = callEvent(call);
  for (const [path, type] of required) expect(typeof at(event, path), path).toBe(type);
  expect(event).toMatchObject({class_uid: 6003, category_uid: 6, duration: 250, ...expected});
  expect(event['type_uid']).toBe(600_300 + Number(event['activity_id']));
});

test('an event contains no input, output, reason or message', () => {
  const call = exampleCall({}, {result: 'failure', error_code: 'TOOL_EXECUTION_FAILED', error_message: secret});
  expect(JSON.stringify(callEvent(call))).not.toContain(secret);
  expect(JSON.stringify(callEvent(call))).toContain('lane/reads');
});
