// A file with several names that a call has written to, by one of them. The overlay gave the call a copy under this name, where a
// direct call writes to all of them; so the others become changes too, and are judged, shown and applied like every change.
import {dirname, join} from 'node:path';
import {setImmediate as turn} from 'node:timers/promises';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {Change, ChangeProblem} from './change.ts';
import {lookAtOnce} from './entry.ts';
import {namesIn} from './names-in.ts';
import {sameContent} from './same-content.ts';

export interface LinkedNamesInput {
  /** What the view is compared with. */
  readonly root: string;
  /** Where no name came or went: so a file in it was written to, not replaced. */
  isUntouched(directory: string): boolean;
}

type Written = Change & Required<Pick<Change, 'before' | 'after' | 'source'>>;

/** Sorted by path. Only a file whose names all lie in the workspace stays one: other names, as of a package store, keep what it was. */
export async function withLinkedNames(
  changes: readonly Change[],
  input: LinkedNamesInput,
): Promise<Outcome<readonly Change[], ChangeProblem>> {
  const written = new Map<bigint, Written[]>();
  for (const change of changes) {
    if (!isWrittenInPlace(change, input)) continue;
    const {ino} = change.before;
    written.set(ino, [...(written.get(ino) ?? []), change]);
  }
  if (written.size === 0) return ok(changes);
  const names = await namesOf(new Set(written.keys()), input.root);
  const linked = new Map<string, Change>();
  for (const [ino, group] of written) {
    const found = await firstWritten(group, input.root);
    if (!found.ok) return found;
    const first = found.value ?? group[0];
    const all = names.get(ino) ?? [];
    if (first === undefined || all.length < first.before.links) continue;
    for (const change of toAll(first, all, changes, input)) linked.set(change.path, change);
  }
  const rest = changes.filter(({path}) => !linked.has(path));
  return ok([...rest, ...linked.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1)));
}

/**
 * Returns the change of one name for all names that the file still has. A name that the call has replaced or removed no longer
 * belongs to it.
 */
function toAll(
  first: Written,
  names: readonly string[],
  changes: readonly Change[],
  input: LinkedNamesInput,
): readonly Change[] {
  const known = new Map(changes.filter(({path}) => names.includes(path)).map((change) => [change.path, change]));
  const modes = [...known.values()].flatMap((change) => {
    const {before, after} = change;
    return after?.kind === 'file' && after.mode !== before?.mode ? [after.mode] : [];
  });
  const after = {...first.after, mode: modes[0] ?? first.after.mode, links: first.before.links};
  return names.flatMap((path) => {
    const before = lookAtOnce(join(input.root, path));
    const own = known.get(path);
    const isName = own === undefined || own.kind === 'mode' || isWrittenInPlace(own, input);
    return before !== undefined && isName ? [{...first, path, before, after}] : [];
  });
}

function isWrittenInPlace(change: Change, {isUntouched}: LinkedNamesInput): change is Written {
  const {path, kind, before, after, source} = change;
  if (kind !== 'modified' || before?.kind !== 'file' || after?.kind !== 'file' || source === undefined) return false;
  return before.links > 1 && isUntouched(dirname(path));
}

/** Returns the change with the file's present content; a problem if two names differ. Times alone do not count. */
async function firstWritten(
  group: readonly Written[],
  root: string,
): Promise<Outcome<Written | undefined, ChangeProblem>> {
  let first: Written | undefined;
  for (const change of group) {
    if (await isAlike(change, {size: change.before.size, source: join(root, change.path)})) continue;
    if (first !== undefined && !(await isAlike(change, {size: first.after.size, source: first.source})))
      return failed({kind: 'linked', paths: [first.path, change.path]});
    first ??= change;
  }
  return ok(first);
}

async function isAlike(
  {after, source}: Written,
  other: {readonly size: number; readonly source: string},
): Promise<boolean> {
  return after.size === other.size && (await sameContent(other.source, source));
}

const entriesPerTurn = 256;

/** Names of these files in the workspace, by inode. */
async function namesOf(files: ReadonlySet<bigint>, root: string): Promise<ReadonlyMap<bigint, readonly string[]>> {
  const found = new Map<bigint, string[]>();
  const waiting = [''];
  let seen = 0;
  for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
    for (const name of namesThere(join(root, directory), directory)) {
      const path = join(directory, name);
      if (path === '.lumenflow') continue;
      const entry = lookAtOnce(join(root, path));
      if (entry?.kind === 'directory') waiting.push(path);
      else if (entry?.kind === 'file' && files.has(entry.ino))
        found.set(entry.ino, [...(found.get(entry.ino) ?? []), path]);
      seen += 1;
      if (seen % entriesPerTurn === 0) await turn();
    }
  }
  return found;
}

/** A directory that cannot be listed, or is gone, has no known names. One of the other kind lists them elsewhere. */
function namesThere(place: string, path: string): ReadonlySet<string> {
  try {
    return namesIn(place, path);
  } catch {
    return new Set();
  }
}
