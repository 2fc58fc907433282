// The newest request about exactly this, for the record of a run: reading it makes no request. A run that is over waits for nothing.
import type {ApprovalRecord, KernelRuntime} from '@lumenflow/kernel';
import {canonicalJson} from '@lumenflow/kernel/adapters';
import {createDigest} from '@lumenflow/kernel/node';

export function findQuestion(
  runtime: Pick<KernelRuntime, 'listApprovals'>,
  {task_id, isOver}: {readonly task_id: string; readonly isOver: boolean},
  shown: object,
): ApprovalRecord | undefined {
  const hash = createDigest().sha256(canonicalJson(shown));
  return runtime
    .listApprovals({task_id})
    .findLast(
      ({subject, state}) =>
        subject.kind === 'program' && subject.input_hash === hash && !(isOver && state === 'pending'),
    );
}
