// Reports changes of a session's resources: its task, and its approval requests.
import type {KernelRuntime} from '@lumenflow/kernel';
import type {KernelEvent} from '@lumenflow/schemas';
import type {Session} from '../../sessions/open-session.ts';
import {approvalsUri, approvalUri, resourceUri} from '../resource-uri.ts';

/** Reports the URIs as events arrive. Returns the function that stops it. */
export function reportResourceUpdates(
  runtime: KernelRuntime,
  {task_id}: Session,
  report: (uri: string) => void,
): () => void {
  const requests = new Set<string>();
  let isPast = true;
  const end = runtime.events.subscribe({}, (event) => {
    const uris = changedBy(event, task_id, requests);
    if (!isPast) uris.forEach(report);
  });
  // Reports the past events immediately.
  isPast = false;
  return end;
}

/** An approval request names its task; later events name only the request. */
function changedBy(event: KernelEvent, taskId: string, requests: Set<string>): readonly string[] {
  if (event.type === 'approval_requested' && event.subject.task_id === taskId) requests.add(event.request_id);
  if ('request_id' in event && requests.has(event.request_id)) return [approvalUri(event.request_id), approvalsUri];
  return 'task_id' in event && event.task_id === taskId ? [resourceUri('task', taskId)] : [];
}
