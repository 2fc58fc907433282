// file:edit replaces exact text in a text file, and returns the hashes before and after.
import {defineTool, ToolError, type ToolDefinition} from '@lumenflow/pack-sdk';
import {expectContent, readFile} from '../../files/current-file.ts';
import {replaceText, type Replacement} from '../../files/replace-text.ts';
import {sha256Hex} from '../../files/sha256-hex.ts';
import {decodeText, encodeContent} from '../../files/text-content.ts';
import {inWritableCheckout} from '../../checkouts/in-checkout.ts';

interface FileEditInput extends Replacement {
  readonly path: string;
  readonly expect_sha256?: string;
  /** Confirms a write to the person's own checkout outside a work unit. */
  readonly main_checkout?: boolean;
  readonly dry_run?: boolean;
}

interface FileEditOutput {
  readonly path: string;
  readonly replacements: number;
  /** Start positions of `old_text`, at most 100. */
  readonly lines: readonly number[];
  readonly sha256_before: string;
  readonly sha256_after: string;
  readonly bytes: number;
  /** Directory that was written, relative to the workspace root; `.` is the person's own checkout. */
  readonly root: string;
  readonly dry_run: boolean;
}

export const fileEdit: ToolDefinition<FileEditInput, FileEditOutput> = defineTool({
  async run(input, call) {
    const {
      context: {fs},
      root,
    } = await inWritableCheckout(call, input.main_checkout);
    const {path, dry_run: dryRun = false} = input;
    const before = await readFile(fs, path);
    expectContent(path, before.sha256, input.expect_sha256);
    const text = decodeText(before.bytes);
    if (text === undefined) throw new ToolError('NOT_TEXT', `\`${path}\` is not UTF-8 text`, {path});
    const replaced = replaceText(text, input);
    const content = encodeContent(replaced.text, 'utf-8');
    if (!dryRun) await fs.write(path, content);
    return {
      path,
      replacements: replaced.lines.length,
      lines: replaced.lines.slice(0, 100),
      sha256_before: before.sha256,
      sha256_after: await sha256Hex(content),
      bytes: content.length,
      root,
      dry_run: dryRun,
    };
  },
});
