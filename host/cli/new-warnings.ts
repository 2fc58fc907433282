// Warnings that a person has not seen yet: commands report packs that are not pinned once, and again after a change of these pins.
import type {Problem} from '@lumenflow/kernel';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';

/** The unpinned packs that a command has reported last, one on each line. */
const notice = '.lumenflow/notices/unpinned-packs';

export function newWarnings(workspaceRoot: string, warnings: readonly Problem[]): readonly Problem[] {
  const unpinned = warnings.filter(({code}) => code === 'PACK_NOT_PINNED');
  if (unpinned.length === 0) return warnings;
  const file = join(workspaceRoot, notice);
  const text = unpinned.map(({message}) => `${message}\n`).join('');
  if (readNotice(file) === text) return warnings.filter((problem) => !unpinned.includes(problem));
  try {
    mkdirSync(dirname(file), {recursive: true, mode: 0o700});
    writeFileSync(file, text);
  } catch {
    // A workspace that this user cannot write to: the next command reports them again.
  }
  return warnings;
}

function readNotice(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
