// What the call of a request would do, as its tool's preview reported it: what a person is shown, on every surface.
import type {KernelRuntime, StandingApproval} from '@lumenflow/kernel';

/** Undefined where the tool has no preview, or what it reported was redacted. */
export async function readPreview(
  {evidence}: Pick<KernelRuntime, 'evidence'>,
  {preview}: Pick<StandingApproval, 'preview'>,
): Promise<unknown> {
  const text = preview === undefined ? undefined : await evidence.readBlob(preview.ref);
  return text === undefined ? undefined : JSON.parse(text);
}
