// What of a session's resources changes while it stands: its task, and what it asked a person for.
import type {KernelRuntime} from '@lumenflow/kernel';
import type {KernelEvent} from '@lumenflow/schemas';
import type {Session} from '../../sessions/open-session.ts';
import {approvalsUri, approvalUri, resourceUri} from '../resource-uri.ts';

/** Tells the addresses as events come. Gives the function that ends it. */
export function hearUpdates(runtime: KernelRuntime, {task_id}: Session, tell: (uri: string) => void): () => void {
  const requests = new Set<string>();
  let isPast = true;
  const end = runtime.events.subscribe({}, (event) => {
    const uris = changedBy(event, task_id, requests);
    if (!isPast) uris.forEach(tell);
  });
  // The events so far are told at once.
  isPast = false;
  return end;
}

/** A request for approval names its task; what becomes of it only the request. */
function changedBy(event: KernelEvent, taskId: string, requests: Set<string>): readonly string[] {
  if (event.type === 'approval_requested' && event.subject.task_id === taskId) requests.add(event.request_id);
  if ('request_id' in event && requests.has(event.request_id)) return [approvalUri(event.request_id), approvalsUri];
  return 'task_id' in event && event.task_id === taskId ? [resourceUri('task', taskId)] : [];
}
