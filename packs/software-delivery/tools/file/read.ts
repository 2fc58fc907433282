// file:read returns a file's text, as a range of lines, or its bytes, with the hash for a later edit.
import {defineTool, ToolError, type ToolDefinition} from '@lumenflow/pack-sdk';
import {readFile} from '../../files/current-file.ts';
import {cutText, decodeText, splitLines} from '../../files/text-content.ts';
import {inCheckout} from '../../checkouts/in-checkout.ts';

interface FileReadInput {
  readonly path: string;
  /** 1-based. */
  readonly start_line?: number;
  /** Inclusive. */
  readonly end_line?: number;
  /** Maximum bytes of content; default 256 KiB. */
  readonly max_bytes?: number;
  /** Default: utf-8 for text, base64 for everything else. */
  readonly encoding?: 'utf-8' | 'base64';
}

interface FileReadOutput {
  readonly path: string;
  readonly encoding: 'utf-8' | 'base64';
  readonly content: string;
  /** SHA-256 of the whole file. */
  readonly sha256: string;
  /** Bytes of the whole file. */
  readonly size: number;
  /** Text files only. */
  readonly total_lines?: number;
  readonly start_line?: number;
  readonly end_line?: number;
  /** `max_bytes` cut the content. */
  readonly truncated: boolean;
}

const defaultBytes = 256 * 1024;

export const fileRead: ToolDefinition<FileReadInput, FileReadOutput> = defineTool({
  async run(input, context) {
    const {fs} = await inCheckout(context);
    const {path, encoding, max_bytes: bytesMax = defaultBytes} = input;
    const {bytes, sha256} = await readFile(fs, path);
    const text = encoding === 'base64' ? undefined : decodeText(bytes);
    if (text !== undefined)
      return {path, encoding: 'utf-8', ...selectLines(text, input, bytesMax), sha256, size: bytes.length};
    if (encoding === 'utf-8' || input.start_line !== undefined || input.end_line !== undefined) {
      throw new ToolError('NOT_TEXT', `\`${path}\` is not UTF-8 text: read it with \`encoding: base64\``, {
        path,
        sha256,
      });
    }
    const content = Buffer.from(bytes.subarray(0, bytesMax)).toString('base64');
    return {path, encoding: 'base64', content, sha256, size: bytes.length, truncated: bytes.length > bytesMax};
  },
});

type LineSelection = Pick<FileReadOutput, 'content' | 'total_lines' | 'start_line' | 'end_line' | 'truncated'>;

function selectLines(text: string, input: FileReadInput, bytesMax: number): LineSelection {
  const lines = splitLines(text);
  const start = input.start_line ?? 1;
  const end = Math.min(input.end_line ?? lines.length, lines.length);
  if (start > Math.max(lines.length, 1) || start > (input.end_line ?? start)) {
    const asked = `${start} to ${input.end_line ?? 'the end'}`;
    throw new ToolError('LINES_OUT_OF_RANGE', `the call requests lines ${asked}, but the file has ${lines.length}`, {
      total_lines: lines.length,
    });
  }
  const selected = lines.slice(start - 1, end).join('');
  const content = cutText(selected, bytesMax);
  return {
    content,
    total_lines: lines.length,
    start_line: start,
    end_line: start - 1 + splitLines(content).length,
    truncated: content.length < selected.length,
  };
}
