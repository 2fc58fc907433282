// Gives a nested call an upper layer that starts as a private copy of its caller's. The caller's processes cannot change it while
// the nested call runs. It keeps the overlay's own marks, such as whiteouts.
import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {captureOutput} from '../commands/capture-output.ts';
import {findProgram} from '../commands/find-program.ts';
import {spawnProcess} from '../commands/spawn-process.ts';
import {undefinedIfMissing} from '../files/undefined-if-missing.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {CopiedEntries} from './compared-trees.ts';
import {lookAtOnce, type Entry} from './entry.ts';

export async function seedUpper(source: string, target: string): Promise<Outcome<undefined, string>> {
  const cp = findProgram('cp');
  if (cp === undefined) return failed('`cp` is not installed');
  const copy = await spawnProcess({
    command: cp,
    args: ['--archive', '--reflink=auto', '--', source, target],
    cwd: '/',
    env: {},
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const errors = copy.pipes[2] ? captureOutput(copy.pipes[2], 2000) : () => ({text: ''});
  const {exitCode, startError} = await copy.ended;
  if (exitCode === 0) return ok(undefined);
  return failed(startError ?? errors().text.trim().split('\n')[0] ?? 'cp failed');
}

interface SeededTrees {
  /** The workspace. */
  readonly root: string;
  /** Where this process finds the caller's view. */
  readonly base: string;
  /** Where it finds the nested call's view, and the upper layer of that. */
  readonly door: string;
  readonly upper: string;
}

type SeededDirectory = ReturnType<CopiedEntries['directory']>;

/** What of a view its caller wrote. To be taken before the call starts. */
export async function seededEntries(trees: SeededTrees): Promise<CopiedEntries> {
  const marks = new Map<string, string>();
  const directories = new Map<string, SeededDirectory>();
  await markBelow('', trees, {marks, directories});
  return {
    isWhole: false,
    // The rest of the view is the workspace itself.
    has: (path) => marks.has(path) || lookAtOnce(join(trees.root, path)) !== undefined,
    directory: (path) => directories.get(path),
    isUntouched: (path, now) => marks.get(path) === markOf(now),
  };
}

async function markBelow(
  path: string,
  trees: SeededTrees,
  found: {readonly marks: Map<string, string>; readonly directories: Map<string, SeededDirectory>},
): Promise<void> {
  const ino = lookAtOnce(`${join(trees.base, path)}/.`)?.ino;
  const names = ((await undefinedIfMissing(readdir(`${join(trees.door, path)}/`))) ?? []).filter(
    (name) => path !== '' || name !== '.lumenflow',
  );
  if (ino !== undefined) found.directories.set(path, {names, ino});
  for (const name of (await undefinedIfMissing(readdir(join(trees.upper, path)))) ?? []) {
    const inside = join(path, name);
    const entry = lookAtOnce(join(trees.door, inside));
    if (entry === undefined) continue;
    found.marks.set(inside, markOf(entry));
    if (entry.kind === 'directory') await markBelow(inside, trees, found);
  }
}

/** No program can set the time of an entry's last change; that of a directory changes with what is in it. */
function markOf({kind, mode, ctimeNs}: Entry): string {
  return kind === 'directory' ? `directory:${mode}` : `${kind}:${ctimeNs}`;
}
