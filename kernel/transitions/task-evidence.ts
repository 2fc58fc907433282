// The calls of a task as rules see them: so that a pack can ask for a passed gate, or count.
import type {TaskEvidence} from '@lumenflow/schemas';
import type {Kernel} from '../context/kernel.ts';
import {evidenceCallsMax, evidenceDataLengthMax} from '../limits.ts';
import type {Receipt} from '../ports.ts';

/** Oldest first. `properties` bounds what is shown of the outputs' data; all of it without. */
export async function readTaskEvidence(
  kernel: Kernel,
  taskId: string,
  properties?: readonly string[],
): Promise<readonly TaskEvidence[]> {
  const page = await kernel.ports.evidence.read({task_id: taskId, limit: evidenceCallsMax});
  return await Promise.all(
    page.receipts.toReversed().map(async (receipt) => await toTaskEvidence(kernel, receipt, properties)),
  );
}

async function toTaskEvidence(
  kernel: Kernel,
  {receipt_id, started, finished}: Receipt,
  properties: readonly string[] | undefined,
): Promise<TaskEvidence> {
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
    ...(started.preview_of !== undefined && {preview_of: started.preview_of}),
  };
  if (finished?.result !== 'success' || finished.output_ref === undefined || properties?.length === 0) return evidence;
  const text = await kernel.ports.contents.get(finished.output_ref);
  if (text === undefined || text.length > evidenceDataLengthMax) return evidence;
  const data: unknown = JSON.parse(text);
  return {...evidence, data: properties === undefined ? data : pick(data, properties)};
}

function pick(data: unknown, properties: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(Object(data)).filter(([key]) => properties.includes(key)));
}
