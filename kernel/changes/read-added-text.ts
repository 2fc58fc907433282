// The lines that a call added to text files, for rules that look for secrets. Bounded: beyond the bounds a rule applies.
import type {AddedText} from '../policy/index.ts';
import type {FinishedChanges} from '../dispatch/finished-changes.ts';
import {addedLines} from './added-lines.ts';

const fileBytesMax = 4 * 1024 * 1024;
const totalBytesMax = 64 * 1024 * 1024;

export async function readAddedText(held: FinishedChanges): Promise<AddedText> {
  const texts: string[] = [];
  let left = totalBytesMax;
  for (const {path, op, before, after} of held.changes.entries) {
    if (after?.kind !== 'file' || op === 'chmod') continue;
    const {bytes = 0} = after;
    left -= bytes;
    if (bytes > fileBytesMax || left < 0) return {texts, isPartial: true};
    const now = await held.text(path, 'after', fileBytesMax);
    // A binary file has no lines.
    if (now === undefined) continue;
    // All lines of a renamed file are new at its path.
    const isCompared = op !== 'rename' && before?.kind === 'file' && (before.bytes ?? 0) <= fileBytesMax;
    const was = isCompared ? await held.text(path, 'before', fileBytesMax) : undefined;
    texts.push(addedLines(was ?? '', now));
  }
  return {texts, isPartial: false};
}
