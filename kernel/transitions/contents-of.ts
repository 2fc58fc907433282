// The contents of one call: input, output, log, and the files that it changed.
import type {ChangeSet} from '@lumenflow/schemas';
import type {Kernel} from '../context/kernel.ts';
import type {Receipt} from '../ports.ts';

/** The records that count. */
export interface RecordRange {
  readonly afterSeq?: number;
  readonly throughSeq?: number;
}

/** SHA-256 of each. */
export async function contentsOf(
  kernel: Kernel,
  {started, finished}: Receipt,
  {afterSeq = 0, throughSeq = Number.POSITIVE_INFINITY}: RecordRange = {},
): Promise<readonly string[]> {
  const counts = (seq: number): boolean => seq > afterSeq && seq <= throughSeq;
  const inputs = counts(started.seq) ? [started.input_hash] : [];
  const isOver = finished !== undefined && counts(finished.seq);
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
