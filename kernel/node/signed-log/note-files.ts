// Signed checkpoints of one log: a file each, named by the size it is a head of, written once.
import {mkdirSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {createFile} from '../system/create-file.ts';
import type {CheckpointStore} from './log-reader.ts';

const pattern = /^([0-9]{16})\.note$/u;

export function createNoteFiles(folder: string): CheckpointStore {
  const where = (size: number): string => join(folder, `${String(size).padStart(16, '0')}.note`);
  return {
    location: folder,
    where,
    sizes: () => listNotes(folder),
    read(size) {
      try {
        return readFileSync(where(size), 'utf8');
      } catch (error) {
        return undefinedIfMissing(error);
      }
    },
    async keep(size, note) {
      mkdirSync(folder, {recursive: true, mode: 0o700});
      await createFile(where(size), note);
    },
  };
}

/** Sizes that have a checkpoint, in order. */
export function listNotes(folder: string): readonly number[] {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    return undefinedIfMissing(error) ?? [];
  }
  const sizes = names.flatMap((name) => pattern.exec(name)?.[1] ?? []);
  return sizes.map(Number).toSorted((a, b) => a - b);
}

function undefinedIfMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
  throw error;
}
