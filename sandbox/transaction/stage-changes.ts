// Brings what a call wrote onto the workspace's own file system, beside the workspace: what is left to do is renaming.
import {createHash} from 'node:crypto';
import {chmod, link, lchown, lstat, lutimes, mkdir, open, symlink, type FileHandle} from 'node:fs/promises';
import {join} from 'node:path';
import {constants} from 'node:fs';
import {identity, type Entry} from './entry.ts';
import type {Change} from './find-changes.ts';
import type {Step} from './step.ts';

export interface StagedChanges {
  /** In the order to take them: what goes, deepest first; then what comes, outermost first. */
  readonly steps: readonly Step[];
  /** SHA-256 of files created and modified, by path. */
  readonly hashes: ReadonlyMap<string, string>;
}

export interface StageInput {
  readonly changes: readonly Change[];
  readonly view: string;
  /** The transaction's own folder. */
  readonly folder: string;
}

export async function stageChanges({changes, view, folder}: StageInput): Promise<StagedChanges> {
  await mkdir(join(folder, 'new'));
  await mkdir(join(folder, 'old'));
  const going = changes.filter(({kind}) => kind === 'deleted').toReversed();
  const coming = changes.filter(({kind}) => kind !== 'deleted');
  const hashes = new Map<string, string>();
  const linked = new Map<bigint, {readonly place: string; readonly hash: string}>();
  const steps: Step[] = [];
  for (const [number, change] of [...going, ...coming].entries()) {
    const {path, kind, before, after} = change;
    const had = before && {had: identity(before)};
    if (kind === 'mode' && before !== undefined && after !== undefined) {
      steps.push({number, path, ...had, modes: [before.mode, after.mode]});
      continue;
    }
    if (after === undefined) {
      steps.push({number, path, ...had});
      continue;
    }
    const place = join(folder, 'new', String(number));
    const first = after.kind === 'file' && after.links > 1 ? linked.get(after.ino) : undefined;
    if (first !== undefined) {
      await link(first.place, place);
      hashes.set(path, first.hash);
    } else {
      const hash = await stage(after, join(view, path), place);
      if (hash !== undefined) {
        hashes.set(path, hash);
        linked.set(after.ino, {place, hash});
      }
      await dress(place, change);
    }
    steps.push({number, path, ...had, ...(await whatIsStaged(place, hashes.get(path)))});
  }
  return {steps, hashes};
}

async function whatIsStaged(place: string, sha256: string | undefined): Promise<Pick<Step, 'gets' | 'content'>> {
  const stat = await lstat(place, {bigint: true});
  const gets = identity(stat);
  if (sha256 === undefined) return {gets};
  return {gets, content: {bytes: Number(stat.size), mtime: String(stat.mtimeNs), sha256}};
}

/** Gives the hash of a file's content. */
async function stage(after: Entry, source: string, place: string): Promise<string | undefined> {
  switch (after.kind) {
    case 'file':
      return await copyFile(source, place);
    case 'directory':
      await mkdir(place);
      return undefined;
    case 'symlink':
      await symlink(after.link ?? '', place);
      return undefined;
    case 'other':
      throw new Error(`\`${source}\` is no file, directory or symlink`);
    default:
      return after.kind satisfies never;
  }
}

/** Permissions, times, and the owner: of what it replaces, or as the call made it, in a directory that passes on its group. */
async function dress(place: string, {before, after}: Change): Promise<void> {
  if (after === undefined) return;
  const {uid, gid} = await lstat(place);
  const owner = before ?? after;
  if (owner.uid !== uid || owner.gid !== gid) await lchown(place, owner.uid, owner.gid);
  if (after.kind !== 'symlink') await chmod(place, after.mode);
  if (after.kind !== 'directory') {
    const seconds = Number(after.mtimeNs) / 1e9;
    await lutimes(place, seconds, seconds);
  }
}

const chunkBytes = 1024 * 1024;
const sourceFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Holes stay holes, at the grain of a chunk. */
async function copyFile(source: string, place: string): Promise<string> {
  const hash = createHash('sha256');
  const from = await open(source, sourceFlags);
  try {
    const to = await open(place, 'wx');
    try {
      await pour(from, to, (bytes) => hash.update(bytes));
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
  return hash.digest('hex');
}

async function pour(from: FileHandle, to: FileHandle, see: (bytes: Buffer) => void): Promise<void> {
  const {size} = await from.stat();
  const chunk = Buffer.allocUnsafe(Math.max(1, Math.min(chunkBytes, size)));
  let position = 0;
  for (;;) {
    const {bytesRead} = await from.read(chunk, 0, chunk.length, position);
    if (bytesRead === 0) break;
    const bytes = chunk.subarray(0, bytesRead);
    see(bytes);
    if (!isHole(bytes)) await to.write(bytes, 0, bytesRead, position);
    position += bytesRead;
  }
  await to.truncate(position);
}

function isHole(bytes: Buffer): boolean {
  return (
    bytes.length === chunkBytes && bytes[0] === 0 && bytes.compare(bytes, 1, bytes.length, 0, bytes.length - 1) === 0
  );
}
