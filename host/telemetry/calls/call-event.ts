// A call as an event of the Open Cybersecurity Schema Framework: class API Activity (6003), profile security_control. It contains who
// called what and what was decided, and neither inputs nor outputs nor messages, which can repeat them.
import {decisionOfCall} from '../../receipts/decision-of-call.ts';
import {version} from '../../version.ts';
import type {ObservedCall} from './observe-calls.ts';

const apiActivity = {
  class_uid: 6003,
  class_name: 'API Activity',
  category_uid: 6,
  category_name: 'Application Activity',
};
const activities = {read: [2, 'Read'], update: [3, 'Update'], other: [99, 'Call']} as const;
const severities = {informational: [1, 'Informational'], low: [2, 'Low'], medium: [3, 'Medium']} as const;

export type CallEvent = Readonly<Record<string, unknown>> & {readonly severity_id: number; readonly time: number};

export function callEvent({started, finished, trace}: ObservedCall): CallEvent {
  const decision = decisionOfCall(finished);
  const isAllowed = decision === 'allow';
  const [activity_id, activity_name] = activities[activityOf(started)];
  const [severity_id, severity] = severities[severityOf(finished.result, isAllowed)];
  const isSuccess = finished.result === 'success';
  return {
    ...apiActivity,
    activity_id,
    activity_name,
    type_uid: apiActivity.class_uid * 100 + activity_id,
    type_name: `${apiActivity.class_name}: ${activity_name}`,
    severity_id,
    severity,
    time: Date.parse(started.timestamp),
    end_time: Date.parse(finished.timestamp),
    duration: Math.round(finished.duration_ms),
    status_id: isSuccess ? 1 : 2,
    status: isSuccess ? 'Success' : 'Failure',
    ...(finished.error_code !== undefined && {status_code: finished.error_code}),
    action_id: isAllowed ? 1 : 2,
    action: isAllowed ? 'Allowed' : 'Denied',
    disposition_id: isAllowed ? 1 : 2,
    disposition: isAllowed ? 'Allowed' : 'Blocked',
    metadata: {
      version: '1.5.0',
      profiles: ['security_control'],
      uid: started.receipt_id,
      log_name: 'calls',
      product: {name: 'LumenFlow', vendor_name: 'LumenFlow', version},
      ...(trace && {correlation_uid: trace.traceId}),
    },
    actor: {
      user: {name: started.by ?? 'unknown'},
      session: {uid: started.session_id},
      authorizations: authorizationsOf({started, finished}),
    },
    api: {
      operation: started.tool_name,
      request: {uid: started.receipt_id},
      ...(started.pack_id !== undefined && {service: {name: started.pack_id, version: started.pack_version}}),
      ...(finished.error_code !== undefined && {response: {error: finished.error_code}}),
    },
    src_endpoint: {svc_name: started.surface ?? 'api'},
    resources: [
      {type: 'task', uid: started.task_id, ...(started.lane_id !== undefined && {group: {name: started.lane_id}})},
    ],
    unmapped: {
      decision,
      result: finished.result,
      ...(started.parent_receipt_id !== undefined && {parent_receipt_id: started.parent_receipt_id}),
    },
  };
}

function activityOf({writes, scope_requested}: ObservedCall['started']): keyof typeof activities {
  if (writes !== undefined) return 'update';
  const isRead = (scope_requested ?? []).every((scope) => scope.type === 'path' && scope.access === 'read');
  return isRead ? 'read' : 'other';
}

function severityOf(result: string, isAllowed: boolean): keyof typeof severities {
  if (result === 'crashed') return 'medium';
  return isAllowed ? 'informational' : 'low';
}

function authorizationsOf({started, finished}: Pick<ObservedCall, 'started' | 'finished'>): readonly object[] {
  return [...(started.policy_decisions ?? []), ...(finished.policy_decisions ?? [])].map((rule) => ({
    decision: rule.decision,
    policy: {uid: `${rule.layer}/${rule.rule_id}`},
  }));
}
