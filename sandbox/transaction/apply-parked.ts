// Applies parked changes in the same way as those of a call. It works on a copy of them, so that it can be interrupted and
// repeated. It trusts nothing: the parked files and the workspace are both compared with the requested change set.
import {join} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import type {ChangeEntry, ChangeSet} from '@lumenflow/schemas';
import {failed, ok, type Outcome} from '../outcome.ts';
import {SandboxError} from '../sandbox-error.ts';
import {applyToWorkspace} from './apply-to-workspace.ts';
import type {Change} from './change.ts';
import {lookAtOnce, type Entry} from './entry.ts';
import {isState} from './is-state.ts';
import type {JournalSeal} from './journal.ts';
import {lookWithin, type LookWithin} from './look-within.ts';
import {readParkedTimes} from './parked-times.ts';
import {splitRenames} from './split-renames.ts';

export interface ApplyParkedInput {
  readonly root: string;
  /** Where the changes wait. */
  readonly parked: string;
  /** Empty, the transaction's own. */
  readonly folder: string;
  /** A time of the file system's clock before any file is inspected. */
  readonly startNs: bigint;
  seal(): Promise<JournalSeal>;
  readonly changes: ChangeSet;
}

/** Returns the files created and modified. The problem is the paths in conflict. Rejects if the parked files differ from the change set. */
export async function applyParked(input: ApplyParkedInput): Promise<Outcome<readonly string[], readonly string[]>> {
  const {root, changes} = input;
  const entries = splitRenames(changes.entries).toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const look = lookWithin(root);
  const now = new Map(entries.map(({path}) => [path, look(path)]));
  // The process that applied it before died without reporting so.
  if (entries.some(isMore) && (await differing('after', entries, {root, now})).length === 0) {
    return ok(entries.filter(isContent).map(({path}) => path));
  }
  const conflicts = [
    ...(await differing('before', entries, {root, now})),
    ...(await changedOrigins(entries, {root, look})),
  ];
  if (conflicts.length > 0) return failed(conflicts);
  const contents = new Map(
    entries.flatMap(({path, after}) => (after?.sha256 === undefined ? [] : [[path, after.sha256]])),
  );
  const {folder, startNs, seal} = input;
  return await applyToWorkspace(await keptChanges(entries, input, now), {
    root,
    view: root,
    folder,
    startNs,
    namesAtStart: () => false,
    seal,
    contents,
    times: await readParkedTimes(input.parked, root),
  });
}

/**
 * Whether an entry changes more than the time of a file. States do not contain times, so applying such an entry again changes
 * nothing.
 */
function isMore({before, after}: ChangeEntry): boolean {
  return !isDeepStrictEqual({...before, content_ref: ''}, {...after, content_ref: ''});
}

function isContent({op, after}: ChangeEntry): boolean {
  return op !== 'chmod' && after?.kind === 'file';
}

interface Found {
  readonly root: string;
  /** The entries of the workspace, by path. */
  readonly now: ReadonlyMap<string, Entry | undefined>;
}

async function differing(
  side: 'before' | 'after',
  entries: readonly ChangeEntry[],
  {root, now}: Found,
): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const entry of entries) {
    const isSame = await isState(entry[side], now.get(entry.path), join(root, entry.path));
    if (!isSame) paths.push(entry.path);
  }
  return paths;
}

/** A further name of a file was approved with the content that the file had. */
async function changedOrigins(
  entries: readonly ChangeEntry[],
  {root, look}: {readonly root: string; readonly look: LookWithin},
): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const {op, from, after} of entries) {
    if (op !== 'link' || from === undefined) continue;
    if (!(await isState(after, look(from), join(root, from)))) paths.push(from);
  }
  return paths;
}

/** Numbered as they were staged. */
async function keptChanges(
  entries: readonly ChangeEntry[],
  {parked, root}: ApplyParkedInput,
  now: Found['now'],
): Promise<readonly Change[]> {
  const going = entries.filter(({op}) => op === 'delete').toReversed();
  const coming = entries.filter(({op}) => op !== 'delete');
  const changes = new Map<string, Change>();
  for (const [number, entry] of [...going, ...coming].entries()) {
    const kept = join(parked, 'new', String(number));
    const change = await keptChange(entry, now.get(entry.path), kept);
    changes.set(entry.path, {...change, ...linkOf(entry, lookWithin(root))});
  }
  return entries.flatMap(({path}) => changes.get(path) ?? []);
}

function linkOf({op, from}: ChangeEntry, look: LookWithin): Pick<Change, 'linkOf'> {
  const ino = op === 'link' && from !== undefined ? look(from)?.ino : undefined;
  return ino === undefined || from === undefined ? {} : {linkOf: {path: from, ino}};
}

async function keptChange({path, op, after}: ChangeEntry, before: Entry | undefined, source: string): Promise<Change> {
  const had = before && {before};
  if (after === undefined) return {path, kind: 'deleted', ...had};
  if (op === 'chmod' && before !== undefined) {
    return {path, kind: 'mode', before, after: {...before, mode: after.mode}};
  }
  const kept = lookAtOnce(source);
  // A file that its own user may not read or write was staged with more permissions.
  const entry = kept?.kind === after.kind ? {...kept, mode: after.mode} : kept;
  if (entry === undefined || !(await isState(after, entry, source)))
    throw new SandboxError('CONTENT_MISMATCH', `\`${source}\` differs from the parked change`);
  return {path, kind: before === undefined ? 'created' : 'modified', ...had, after: entry, source};
}
