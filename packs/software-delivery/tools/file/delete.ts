// file:delete deletes one file or symbolic link.
import {defineTool, ToolError, type ToolDefinition} from '@lumenflow/pack-sdk';
import {expectContent, fileBytesMax, readFile} from '../../files/current-file.ts';
import {inWritableCheckout} from '../../checkouts/in-checkout.ts';

interface FileDeleteInput {
  readonly path: string;
  readonly expect_sha256?: string;
  /** Confirms a write to the person's own checkout outside a work unit. */
  readonly main_checkout?: boolean;
  readonly dry_run?: boolean;
}

interface FileDeleteOutput {
  readonly path: string;
  readonly kind: 'file' | 'symlink';
  /** Of the deleted file. Absent for a link, and for a file over 16 MiB without `expect_sha256`. */
  readonly sha256?: string;
  /** Directory that was written, relative to the workspace root; `.` is the person's own checkout. */
  readonly root: string;
  readonly dry_run: boolean;
}

export const fileDelete: ToolDefinition<FileDeleteInput, FileDeleteOutput> = defineTool({
  async run({path, expect_sha256: expected, main_checkout: meant, dry_run: dryRun = false}, call) {
    const {
      context: {fs},
      root,
    } = await inWritableCheckout(call, meant);
    const stat = await fs.stat(path);
    const hasHash = stat?.kind !== 'symlink' && (expected !== undefined || (stat?.size ?? 0) <= fileBytesMax);
    if (!hasHash && expected !== undefined) {
      throw new ToolError('NOT_A_FILE', `\`${path}\` is a symlink, so it has no content to expect`, {path});
    }
    const sha256 = hasHash ? (await readFile(fs, path)).sha256 : undefined;
    expectContent(path, sha256, expected);
    if (!dryRun) await fs.remove(path);
    const kind = stat?.kind === 'symlink' ? 'symlink' : 'file';
    return {path, kind, ...(sha256 !== undefined && {sha256}), root, dry_run: dryRun};
  },
});
