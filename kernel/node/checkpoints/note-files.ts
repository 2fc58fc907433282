// Signed checkpoints of one log: a file each, named by the size it is a head of, written once.
import {mkdirSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {createFile} from '../log/create-file.ts';

const pattern = /^([0-9]{16})\.note$/u;

export function notePath(folder: string, size: number): string {
  return join(folder, `${String(size).padStart(16, '0')}.note`);
}

/** Sizes that have a checkpoint, in order. */
export function listNotes(folder: string): readonly number[] {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  const sizes = names.flatMap((name) => pattern.exec(name)?.[1] ?? []);
  return sizes.map(Number).toSorted((a, b) => a - b);
}

export function readNote(folder: string, size: number): string {
  return readFileSync(notePath(folder, size), 'utf8');
}

/** Keeps the note that is there when another process was faster. */
export async function keepNote(folder: string, size: number, note: string): Promise<void> {
  mkdirSync(folder, {recursive: true, mode: 0o700});
  await createFile(notePath(folder, size), note);
}
