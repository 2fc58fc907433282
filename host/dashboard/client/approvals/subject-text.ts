// A request in a few words: its tool and what the call is about, or the step of the task.
import type {HttpApproval} from '@lumenflow/schemas';

export function subjectText({subject: {tool_name, kind, task_id}}: HttpApproval): string {
  return tool_name ?? `${kind} of ${task_id}`;
}
