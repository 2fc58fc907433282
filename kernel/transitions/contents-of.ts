// The contents of one call: input, output, log, and the files that it changed.
import type {ChangeSet} from '@lumenflow/schemas';
import type {Kernel} from '../context/kernel.ts';
import type {Receipt} from '../ports.ts';

/** SHA-256 of each. `throughSeq`: only what was recorded up to this record. */
export async function contentsOf(
  kernel: Kernel,
  {started, finished}: Receipt,
  throughSeq: number = Number.POSITIVE_INFINITY,
): Promise<readonly string[]> {
  const inputs = started.seq <= throughSeq ? [started.input_hash] : [];
  const isOver = finished !== undefined && finished.seq <= throughSeq;
  const outputs = isOver ? [finished.output_hash, finished.log_hash] : [];
  const files = isOver && finished.changes ? await filesOf(kernel, finished.changes.ref) : [];
  return [...inputs, ...outputs, ...files].flatMap((hash) => hash ?? []);
}

async function filesOf({ports: {contents, digest}}: Kernel, ref: string): Promise<readonly (string | undefined)[]> {
  const text = await contents.get(ref);
  if (text === undefined) return [];
  const {entries} = JSON.parse(text) as ChangeSet;
  const states = entries.flatMap((entry) => [
    ...('before' in entry ? [entry.before] : []),
    ...('after' in entry ? [entry.after] : []),
  ]);
  const kept = states.flatMap((state) => (state?.content_ref === undefined ? [] : [state.sha256]));
  return [digest.sha256(text), ...kept];
}
