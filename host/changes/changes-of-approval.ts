import type {ApprovalSubject, ChangeSet} from '@lumenflow/schemas';
import type {KernelRuntime} from '@lumenflow/kernel';
import {diffFiles, type FileDiff} from './diff-files.ts';

/** What a request asks to apply; undefined when it asks for something else, or the content is gone. */
export async function changesOfApproval(
  runtime: KernelRuntime,
  {kind, changes_ref}: ApprovalSubject,
): Promise<readonly FileDiff[] | undefined> {
  if (kind !== 'changes' || changes_ref === undefined) return undefined;
  const text = await runtime.evidence.readBlob(changes_ref);
  return text === undefined ? undefined : await diffFiles(runtime, JSON.parse(text) as ChangeSet);
}
