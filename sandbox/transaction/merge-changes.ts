// Copies what a nested call changed into its caller's view. There is no journal: the view is discarded as a whole if its call
// fails. The caller's processes run at the same time, so no symlink that they could have created is followed.
import {randomUUID} from 'node:crypto';
import {constants} from 'node:fs';
import {link, lchown, lutimes, mkdir, open, rename, rmdir, symlink, unlink, type FileHandle} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {childPath, inDirectory, parentSegments, type OpenDirectory} from '../files/open-directory.ts';
import {copyContent} from './copy-content.ts';
import type {Entry} from './entry.ts';
import type {Change} from './change.ts';
import {fileTime} from './file-time.ts';
import type {KeptTimes} from './kept-times.ts';

export interface MergeInput {
  readonly changes: readonly Change[];
  /** Absolute path of the workspace for both calls. */
  readonly root: string;
  /** Where this process finds the view of the nested call, which nothing writes to any more. */
  readonly from: string;
  /** Where it finds the caller's. */
  readonly to: string;
  readonly times?: KeptTimes;
}

const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Rejects midway if an entry cannot be written; nothing of the caller's view may be applied then. */
export async function mergeChanges(input: MergeInput): Promise<void> {
  const going = input.changes.filter(({kind}) => kind === 'deleted').toReversed();
  const coming = input.changes.filter(({kind}) => kind !== 'deleted');
  for (const change of going) await inParent(change, input, async (target) => await remove(target, change.before));
  const links = firstNames(coming);
  for (const change of coming) {
    const of = change.linkOf?.path ?? links.get(change);
    await (of === undefined ? putAt(change, input) : linkAt(change, of, input));
  }
  // Last, deepest first: a directory may be one that its owner cannot write to.
  for (const {path, after} of coming.toReversed()) {
    if (after?.kind !== 'directory') continue;
    await inParent({path}, input, async (target) => await setMode(target, after));
  }
  for (const [path, time] of input.times ?? []) {
    await inParent({path}, input, async (target) => await lutimes(target, fileTime(time), fileTime(time)));
  }
}

/** Files that the nested call gave several names: all but the first, with the first. */
function firstNames(changes: readonly Change[]): ReadonlyMap<Change, string> {
  const first = new Map<bigint, string>();
  const others = new Map<Change, string>();
  for (const change of changes) {
    const {path, kind, after} = change;
    if (kind !== 'created' || after?.kind !== 'file' || after.links < 2) continue;
    const name = first.get(after.ino);
    if (name === undefined) first.set(after.ino, path);
    else others.set(change, name);
  }
  return others;
}

async function putAt(change: Change, input: MergeInput): Promise<void> {
  const {path, source = join(input.from, path)} = change;
  await inParent(change, input, async (target, directory) => await put(change, {target, directory, source}));
}

async function linkAt(change: Change, of: string, input: MergeInput): Promise<void> {
  await inParent({path: of}, input, async (existing) => {
    await inParent(change, input, async (target) => await link(existing, target));
  });
}

async function inParent(
  {path}: Pick<Change, 'path'>,
  {root, to}: MergeInput,
  work: (target: string, directory: OpenDirectory) => Promise<void>,
): Promise<void> {
  await inDirectory({root, door: to, segments: parentSegments(path), make: false}, async (directory) => {
    const mode = (await directory.handle.stat()).mode & 0o7777;
    const isLocked = (mode & 0o300) !== 0o300 && process.geteuid?.() !== 0;
    if (isLocked) await directory.handle.chmod(mode | 0o700);
    try {
      await work(childPath(directory, basename(path)), directory);
    } finally {
      if (isLocked) await directory.handle.chmod(mode);
    }
  });
}

async function remove(target: string, before: Entry | undefined): Promise<void> {
  await (before?.kind === 'directory' ? rmdir(target) : unlink(target));
}

interface Put {
  readonly target: string;
  readonly directory: OpenDirectory;
  readonly source: string;
}

async function put({kind, before, after}: Change, {target, directory, source}: Put): Promise<void> {
  if (after === undefined) return;
  const isDirectory = after.kind === 'directory';
  if (kind === 'mode') return await setMode(target, isDirectory ? {mode: after.mode | 0o700} : after);
  if (before !== undefined && (before.kind === 'directory' || isDirectory)) await remove(target, before);
  if (isDirectory) return await mkdir(target, {mode: 0o700});
  const temporary = childPath(directory, `.merge-${randomUUID()}`);
  if (after.kind === 'symlink') await symlink(after.link ?? '', temporary);
  else {
    await copyContent(source, temporary);
    await setMode(temporary, after);
  }
  await lchown(temporary, after.uid, after.gid).catch(unlessNotOwner);
  const seconds = fileTime(after.mtimeNs);
  await lutimes(temporary, seconds, seconds);
  await rename(temporary, target);
}

/** A group that this user is not in stays the one that the new file got. */
function unlessNotOwner(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPERM') throw error;
}

async function setMode(target: string, {mode}: Pick<Entry, 'mode'>): Promise<void> {
  await using(await open(target, readFlags), async (handle) => await handle.chmod(mode));
}

async function using(handle: FileHandle, work: (handle: FileHandle) => Promise<void>): Promise<void> {
  try {
    await work(handle);
  } finally {
    await handle.close();
  }
}
