// Applies changes that waited. It works on a copy of them, so that it can be interrupted and begun anew, and believes
// nothing: what is kept and what it is put on are held against the change set that is asked for.
import {constants} from 'node:fs';
import {chmod, copyFile, lutimes, mkdir, readlink, symlink} from 'node:fs/promises';
import {join} from 'node:path';
import type {ChangeEntry, ChangeSet, EntryState} from '@lumenflow/schemas';
import {applyChanges} from './apply-changes.ts';
import {ChangedMeanwhile} from './changed-meanwhile.ts';
import {identity, lookAt, type Entry} from './entry.ts';
import type {Change} from './change.ts';
import {isState} from './is-state.ts';
import type {JournalSeal} from './journal.ts';
import type {Step} from './step.ts';

export interface ApplyParkedInput {
  readonly root: string;
  /** Where the changes wait. */
  readonly parked: string;
  /** Empty, the transaction's own. */
  readonly folder: string;
  seal(): Promise<JournalSeal>;
  readonly changes: ChangeSet;
}

/** Rejects when what is kept is not what the change set says. */
export async function applyParked(
  input: ApplyParkedInput,
): Promise<{readonly written: readonly string[]} | {readonly conflicts: readonly string[]}> {
  const {root, folder} = input;
  const {entries} = input.changes;
  const written = entries.filter(({op, after}) => op !== 'chmod' && after?.kind === 'file').map(({path}) => path);
  const now = new Map<string, Entry | undefined>();
  for (const {path} of entries) now.set(path, await lookAt(join(root, path)));
  // Whoever applied it before has died without saying so.
  if (entries.length > 0 && (await differing('after', input, now)).length === 0) return {written};
  const conflicts = await differing('before', input, now);
  if (conflicts.length > 0) return {conflicts};
  const steps = await stepsFrom(input, now);
  try {
    const changes = entries.map((entry) => changeOf(entry, now.get(entry.path)));
    await applyChanges({root, folder, seal: await input.seal(), steps, changes});
    return {written};
  } catch (error) {
    if (error instanceof ChangedMeanwhile) return {conflicts: [error.path]};
    throw error;
  }
}

async function differing(
  side: 'before' | 'after',
  {root, changes}: ApplyParkedInput,
  now: ReadonlyMap<string, Entry | undefined>,
): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const entry of changes.entries) {
    const isSame = await isState(entry[side], now.get(entry.path), join(root, entry.path));
    if (!isSame) paths.push(entry.path);
  }
  return paths;
}

function changeOf({path, op}: ChangeEntry, before: Entry | undefined): Change {
  const kind = op === 'delete' ? 'deleted' : 'modified';
  return {path, kind: op === 'chmod' ? 'mode' : kind, ...(before && {before})};
}

/** Numbered as they were staged. */
async function stepsFrom(
  {parked, folder, changes}: ApplyParkedInput,
  now: ReadonlyMap<string, Entry | undefined>,
): Promise<readonly Step[]> {
  const sorted = changes.entries.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const going = sorted.filter(({op}) => op === 'delete').toReversed();
  const coming = sorted.filter(({op}) => op !== 'delete');
  await mkdir(join(folder, 'new'));
  await mkdir(join(folder, 'old'));
  const steps: Step[] = [];
  for (const [number, {path, op, before, after}] of [...going, ...coming].entries()) {
    const entry = now.get(path);
    const step = {number, path, ...(entry && {had: identity(entry)})};
    if (after === undefined) steps.push(step);
    else if (op === 'chmod') steps.push({...step, modes: [before?.mode ?? 0, after.mode]});
    else
      steps.push({
        ...step,
        ...(await restage(join(parked, 'new', String(number)), join(folder, 'new', String(number)), after)),
      });
  }
  return steps;
}

/** Gives the identity and the content of the copy. */
async function restage(source: string, place: string, state: EntryState): Promise<Pick<Step, 'gets' | 'content'>> {
  const kept = await lookAt(source);
  if (kept === undefined || !(await isState(state, kept, source)))
    throw new Error(`\`${source}\` is not what was parked`);
  if (kept.kind === 'directory') await mkdir(place);
  else if (kept.kind === 'symlink') await symlink(await readlink(source), place);
  else await copyFile(source, place, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  if (kept.kind !== 'symlink') await chmod(place, kept.mode);
  if (kept.kind === 'file') await lutimes(place, Number(kept.mtimeNs) / 1e9, Number(kept.mtimeNs) / 1e9);
  const copy = await lookAt(place);
  if (copy === undefined || !(await isState(state, copy, place)))
    throw new Error(`\`${source}\` is not what was parked`);
  const gets = identity(copy);
  if (state.sha256 === undefined) return {gets};
  return {gets, content: {bytes: copy.size, mtime: String(copy.mtimeNs), sha256: state.sha256}};
}
