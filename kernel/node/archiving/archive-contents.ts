// The files of contents that can be archived: no record or event that remains here names them, and nothing was written to them lately.
import {existsSync, linkSync, readdirSync, readFileSync, rmSync, statSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import {join} from 'node:path';
import {readArchived} from '../archive/archived-file.ts';

const contentName = /^(?:[0-9a-f]{64}|pack-[0-9a-f]{12})$/u;

export interface ContentBounds {
  readonly folder: string;
  /** Files that lines name that stay. */
  readonly named: ReadonlySet<string>;
  readonly beforeMs: number;
}

/** Names of files. */
export function archivableContents({folder, named, beforeMs}: ContentBounds): readonly string[] {
  return contentFiles(folder).filter((name) => !named.has(name) && statSync(join(folder, name)).mtimeMs < beforeMs);
}

function contentFiles(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => contentName.test(name)) : [];
}

/**
 * The bytes of a file that no process appends to any more. It gets a second name first. A process that finds this after an append
 * repeats the append in another file.
 */
export function closeContent(folder: string, name: string): Buffer {
  const second = closingPath(folder, name);
  if (!existsSync(second)) linkSync(join(folder, name), second);
  return readFileSync(second);
}

export async function removeClosing(folder: string, name: string): Promise<void> {
  await rm(closingPath(folder, name), {force: true});
}

/** Files that an interrupted archiving left beside their notes. */
export function leftContents(folder: string): readonly string[] {
  return contentFiles(folder).filter((name) => readArchived(folder, name) !== undefined);
}

/** Second names of files that an interrupted archiving had removed. */
export function removeLeftNames(folder: string): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    if (name.startsWith('closing-') && !existsSync(join(folder, name.slice('closing-'.length)))) {
      rmSync(join(folder, name), {force: true});
    }
  }
}

function closingPath(folder: string, name: string): string {
  return join(folder, `closing-${name}`);
}
