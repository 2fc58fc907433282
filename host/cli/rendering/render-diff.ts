// Renders differences by file, like git.
import {changedPath} from '../../changes/changed-path.ts';
import type {FileDiff} from '../../changes/diff-files.ts';
import {cleanLine, cleanText} from './clean-text.ts';
import type {Style} from './style.ts';

export function renderDiff(diffs: readonly FileDiff[], style: Style): string {
  return diffs.map((diff) => renderFile(diff, style)).join('\n');
}

function renderFile({note, hunks = [], ...file}: FileDiff, style: Style): string {
  const remark = note === undefined ? '' : style.dim(`  (${cleanLine(note)})`);
  const lines = hunks.flatMap(({before_start, after_start, lines: changed}) => [
    style.accent(`@@ -${before_start} +${after_start} @@`),
    ...changed.map((line) => paintLine(line, style)),
  ]);
  return [`${style.bold(cleanLine(changedPath(file)))}${remark}`, ...lines].join('\n');
}

function paintLine(line: string, style: Style): string {
  const clean = cleanText(line);
  if (line.startsWith('+')) return style.good(clean);
  return line.startsWith('-') ? style.bad(clean) : clean;
}
