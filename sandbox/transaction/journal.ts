// The plan of an application, on disk before its first step, so that whoever finds it can undo what was done of it.
// It rolls back, never forward: a call whose process died has no outcome, so nothing of it may stand.
import {open, readFile, unlink} from 'node:fs/promises';
import {join} from 'node:path';
import {orAbsent} from '../files/or-absent.ts';

/** One change of one path. What it replaces is kept as `old/<number>`, what it brings is staged as `new/<number>`. */
export interface Step {
  readonly number: number;
  /** Relative to the workspace root. */
  readonly path: string;
  /** What is there before, as `device:inode:birth`. */
  readonly had?: string;
  /** What is there afterwards. */
  readonly gets?: string;
  /** Permissions before and after, when nothing else changes. */
  readonly modes?: readonly [before: number, after: number];
}

const name = 'journal.json';

/** Steps in the order in which they are taken. */
export async function writeJournal(folder: string, steps: readonly Step[]): Promise<void> {
  const handle = await open(join(folder, name), 'wx');
  try {
    await handle.writeFile(JSON.stringify({version: 1, steps}));
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Undefined when nothing was applied, or all of it. A journal that is cut short was not finished, so no step was taken. */
export async function readJournal(folder: string): Promise<readonly Step[] | undefined> {
  const text = await orAbsent(readFile(join(folder, name), 'utf8'));
  if (text === undefined || !text.endsWith('}')) return undefined;
  const {steps} = JSON.parse(text) as {steps: readonly Step[]};
  return steps;
}

/** The point from which the application stands. */
export async function endJournal(folder: string): Promise<void> {
  await unlink(join(folder, name));
}
