// Differences as plain text, for readers without a terminal: models, and clients that show what they get.
import {changedPath} from './changed-path.ts';
import type {FileDiff} from './diff-files.ts';

/** Characters of all files; beyond that files are only named. */
const lengthMax = 64 * 1024;

export function diffText(files: readonly FileDiff[]): string {
  let left = lengthMax;
  const texts = files.map((file) => {
    const text = textOf(file);
    left -= text.length;
    return left > 0 ? text : headOf(file);
  });
  return texts.join('\n');
}

function textOf(file: FileDiff): string {
  const hunks = (file.hunks ?? []).flatMap(({before_start, after_start, lines}) => [
    `@@ -${before_start} +${after_start} @@`,
    ...lines,
  ]);
  return [headOf(file), ...hunks].join('\n');
}

function headOf({note, ...file}: FileDiff): string {
  return note === undefined ? changedPath(file) : `${changedPath(file)} (${note})`;
}
