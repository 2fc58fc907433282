// The effect of a requested call, as its tool's preview reported it. Every surface shows it to the approver.
import type {KernelRuntime, StandingApproval} from '@lumenflow/kernel';

/** Undefined if the tool has no preview, or if its report was redacted. */
export async function readPreview(
  {evidence}: Pick<KernelRuntime, 'evidence'>,
  {preview}: Pick<StandingApproval, 'preview'>,
): Promise<unknown> {
  const text = preview === undefined ? undefined : await evidence.readBlob(preview.ref);
  return text === undefined ? undefined : JSON.parse(text);
}
