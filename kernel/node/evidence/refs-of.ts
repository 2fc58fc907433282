// The contents that a record refers to.
import type {NewEvidenceRecord} from '@lumenflow/kernel/adapters';

export function refsOf(record: NewEvidenceRecord): readonly string[] {
  if (record.type === 'tool_call_progress') return [];
  const refs = record.type === 'tool_call_started' ? [record.input_ref] : [record.output_ref, record.log_ref];
  return refs.flatMap((ref) => ref ?? []);
}
