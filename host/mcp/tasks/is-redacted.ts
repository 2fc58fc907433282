// Whether an output of a task's calls was redacted since. The process has the result in memory, and must not return it then.
import type {Task} from '@modelcontextprotocol/server';
import type {KernelRuntime} from '@lumenflow/kernel';

/** Of a task that has ended. Includes calls that chains, code and other sessions began in its time. */
export async function isRedacted(
  runtime: KernelRuntime,
  {createdAt, lastUpdatedAt}: Pick<Task, 'createdAt' | 'lastUpdatedAt'>,
): Promise<boolean> {
  await runtime.refresh();
  const redactions = await runtime.events.read({types: ['evidence_redacted']});
  const hashes = new Set(redactions.flatMap((event) => (event.type === 'evidence_redacted' ? event.hashes : [])));
  if (hashes.size === 0) return false;
  const filter = {since: createdAt, until: lastUpdatedAt};
  let before_seq: number | undefined;
  do {
    const page = await runtime.evidence.readTraces({...filter, ...(before_seq !== undefined && {before_seq})});
    for (const {finished} of page.receipts) {
      const {output_hash: hash = '', output_ref: ref} = finished ?? {};
      // The same content can be stored again later, under another ref.
      if (ref !== undefined && hashes.has(hash) && (await runtime.evidence.readBlob(ref)) === undefined) return true;
    }
    before_seq = page.next_before_seq;
  } while (before_seq !== undefined);
  return false;
}
