// file:write writes a whole file atomically.
import {defineTool, ToolError, type ToolDefinition} from '@lumenflow/pack-sdk';
import {expectContent, findFile} from '../../files/current-file.ts';
import {sha256Hex} from '../../files/sha256-hex.ts';
import {encodeContent} from '../../files/text-content.ts';
import {inWritableCheckout} from '../../checkouts/in-checkout.ts';

interface FileWriteInput {
  readonly path: string;
  readonly content: string;
  readonly encoding?: 'utf-8' | 'base64';
  /** Fail if the file exists. */
  readonly create_only?: boolean;
  /** Fail if the file has a different hash. */
  readonly expect_sha256?: string;
  /** Confirms a write to the person's own checkout outside a work unit. */
  readonly main_checkout?: boolean;
  readonly dry_run?: boolean;
}

interface FileWriteOutput {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly created: boolean;
  readonly previous_sha256?: string;
  /** Directory that was written, relative to the workspace root; `.` is the person's own checkout. */
  readonly root: string;
  readonly dry_run: boolean;
}

export const fileWrite: ToolDefinition<FileWriteInput, FileWriteOutput> = defineTool({
  async run(input, call) {
    const {
      context: {fs},
      root,
    } = await inWritableCheckout(call, input.main_checkout);
    const {path, create_only: createOnly = false, dry_run: dryRun = false} = input;
    const content = encodeContent(input.content, input.encoding ?? 'utf-8');
    const previous = await findFile(fs, path);
    if (createOnly && previous !== undefined) throw new ToolError('EXISTS', `\`${path}\` already exists`, {path});
    expectContent(path, previous?.sha256, input.expect_sha256);
    if (!dryRun) await fs.write(path, content, {exclusive: createOnly});
    return {
      path,
      sha256: await sha256Hex(content),
      bytes: content.length,
      created: previous === undefined,
      ...(previous !== undefined && {previous_sha256: previous.sha256}),
      root,
      dry_run: dryRun,
    };
  },
});
