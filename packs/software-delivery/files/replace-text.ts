// Exact replacement of text: no trimming, no patterns, no `$&`. Fails if the text differs from the caller's expectation.
import {ToolError} from '@lumenflow/pack-sdk';

export interface Replacement {
  readonly old_text: string;
  readonly new_text: string;
  readonly replace_all?: boolean;
  /** Required number of occurrences. All of them are replaced. */
  readonly expected_count?: number;
}

export interface ReplacedText {
  readonly text: string;
  /** 1-based line of each occurrence, before the replacement. */
  readonly lines: readonly number[];
}

/** Throws ToolError NO_CHANGE, TEXT_NOT_FOUND, TEXT_AMBIGUOUS and COUNT_MISMATCH. */
export function replaceText(text: string, replacement: Replacement): ReplacedText {
  const {old_text: oldText, new_text: newText, expected_count: expectedCount} = replacement;
  if (oldText === newText) throw new ToolError('NO_CHANGE', '`old_text` and `new_text` are the same');
  const parts = text.split(oldText);
  const lines = occurrenceLines(parts, oldText);
  if (lines.length === 0) throw textNotFound(text, oldText);
  const details = {occurrences: lines.length, lines: lines.slice(0, 20)};
  if (expectedCount !== undefined && lines.length !== expectedCount) {
    throw new ToolError('COUNT_MISMATCH', `\`old_text\` occurs ${lines.length} times, expected ${expectedCount}`, {
      expected_count: expectedCount,
      ...details,
    });
  }
  if (lines.length > 1 && expectedCount === undefined && replacement.replace_all !== true) {
    throw new ToolError(
      'TEXT_AMBIGUOUS',
      `\`old_text\` occurs ${lines.length} times: add more context, or set \`replace_all\` or \`expected_count\``,
      details,
    );
  }
  return {text: parts.join(newText), lines};
}

function occurrenceLines(parts: readonly string[], oldText: string): number[] {
  const lines: number[] = [];
  const oldLineEnds = lineEnds(oldText);
  let line = 1;
  for (const part of parts.slice(0, -1)) {
    line += lineEnds(part);
    lines.push(line);
    line += oldLineEnds;
  }
  return lines;
}

function lineEnds(text: string): number {
  return text.split('\n').length - 1;
}

function textNotFound(text: string, oldText: string): ToolError {
  const unified = (value: string): string => value.replaceAll('\r\n', '\n');
  const squeezed = (value: string): string => value.replaceAll(/\s+/g, ' ').trim();
  let hint = 'read the file again and copy the text exactly';
  if (unified(text).includes(unified(oldText))) {
    hint = text.includes('\r\n') ? 'the file has CRLF line ends' : 'the file has LF line ends';
  } else if (squeezed(oldText) !== '' && squeezed(text).includes(squeezed(oldText))) {
    hint = 'it occurs with different white space: match indentation and line breaks exactly';
  }
  return new ToolError('TEXT_NOT_FOUND', `\`old_text\` does not occur in the file: ${hint}`, {occurrences: 0, hint});
}
