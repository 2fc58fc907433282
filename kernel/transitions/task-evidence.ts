// The calls of a task as rules of on_claim and on_completion see them: so that a pack can ask for a passed gate.
import type {Kernel} from '../kernel.ts';
import {evidenceCallsMax, evidenceDataLengthMax} from '../limits.ts';
import type {TaskEvidence} from '../policy/policy-context.ts';
import type {Receipt} from '../ports.ts';

/** Oldest first. */
export async function readTaskEvidence(kernel: Kernel, taskId: string): Promise<readonly TaskEvidence[]> {
  const page = await kernel.ports.evidence.read({task_id: taskId, limit: evidenceCallsMax});
  return await Promise.all(page.receipts.toReversed().map(async (receipt) => await toTaskEvidence(kernel, receipt)));
}

async function toTaskEvidence(kernel: Kernel, {receipt_id, started, finished}: Receipt): Promise<TaskEvidence> {
  const tool = kernel.workspace.tools.get(started.tool_name);
  const evidence: TaskEvidence = {
    receipt_id,
    tool_name: started.tool_name,
    // A tool that is gone is taken for one that writes: the careful reading.
    permission: tool?.declaration.permission ?? 'write',
    result: finished?.result ?? 'open',
    started_at: started.timestamp,
    started_seq: started.seq,
    ...(finished && {finished_seq: finished.seq}),
  };
  if (finished?.result !== 'success' || finished.output_ref === undefined) return evidence;
  const text = await kernel.ports.evidence.getBlob(finished.output_ref);
  if (text === undefined || text.length > evidenceDataLengthMax) return evidence;
  return {...evidence, data: JSON.parse(text)};
}
