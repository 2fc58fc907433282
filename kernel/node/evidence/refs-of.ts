// The contents that a record refers to.
import type {NewEvidenceRecord} from '@lumenflow/kernel/adapters';

export function refsOf(record: NewEvidenceRecord): readonly string[] {
  if (record.type === 'tool_call_progress') return [];
  const refs = record.type === 'tool_call_started' ? [record.input_ref] : [record.output_ref, record.log_ref];
  return refs.flatMap((ref) => ref ?? []);
}

/** Also that of a change set, which lists further contents. */
export function recordedRefs(record: NewEvidenceRecord): readonly string[] {
  const changes = record.type === 'tool_call_finished' ? record.changes?.ref : undefined;
  return changes === undefined ? refsOf(record) : [...refsOf(record), changes];
}
