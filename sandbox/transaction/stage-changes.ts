// Brings what a call wrote beside the workspace: what is left to do is renaming. A file that the call made on the
// workspace's own disk gets one more name; what it changed is copied, since an overlay leaves its marks on that.
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  lchownSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  openSync,
  readSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import {createHash} from 'node:crypto';
import {join} from 'node:path';
import {setImmediate as turn} from 'node:timers/promises';
import {SandboxError} from '../sandbox-error.ts';
import {ChangedConcurrently} from './changed-concurrently.ts';
import {identity, lookAtOnce, type Entry} from './entry.ts';
import type {Change} from './change.ts';
import {fileTime} from './file-time.ts';
import {isStill} from './find-conflicts.ts';
import {hashFile} from './hash-file.ts';
import type {Step} from './step.ts';
import {planModes} from './plan-modes.ts';
import {findWholeTrees, noTrees, type WholeTrees} from './whole-trees.ts';

export interface StagedChanges {
  /** In the order to take them: what goes, deepest first; what comes, outermost first; permissions of directories. */
  readonly steps: readonly Step[];
  /** What the view has of them on the workspace's own disk, to remove once they are applied. */
  readonly sources: readonly string[];
  /** What comes into the workspace as a whole. */
  readonly trees: WholeTrees;
}

export interface StageInput {
  readonly changes: readonly Change[];
  readonly root: string;
  readonly view: string;
  /** The transaction's own folder. */
  readonly folder: string;
  /**
   * Whether they wait for a person; default false. If so, a further name of a workspace file is staged as a copy, which does not
   * change with it. Every staged file is then readable to its user.
   */
  readonly waits?: boolean;
  /** SHA-256 of what files of the view contain, by path: with them whole trees can move. */
  readonly hashes?: ReadonlyMap<string, string> | undefined;
}

const entriesPerTurn = 64;

export async function stageChanges(input: StageInput): Promise<StagedChanges> {
  const {changes, folder} = input;
  for (const name of ['new', 'old']) mkdirSync(join(folder, name));
  const going = changes.filter(({kind}) => kind === 'deleted').toReversed();
  const coming = changes.filter(({kind}) => kind !== 'deleted');
  const staging = new Staging(input);
  const trees = input.hashes === undefined ? noTrees : findWholeTrees(changes, input.hashes);
  const byNumber = new Map<number, Step>();
  const modes: Step[] = [];
  const ordered = [...[...going, ...coming].entries()];
  for (const [number, change] of ordered.toSorted(([, one], [, other]) => age(one) - age(other))) {
    const {path, kind, before, after} = change;
    const had = before && {had: identity(before)};
    if (kind === 'mode' && before !== undefined && after !== undefined) {
      modes.push({number, path, ...had, modes: [before.mode, after.mode]});
    } else if (after === undefined) byNumber.set(number, {number, path, ...had});
    else if (trees.roots.has(path) || trees.treeOf.has(path))
      byNumber.set(number, {number, path, ...stagedInPlace(change, after, input.hashes?.get(path))});
    else {
      const staged = await staging.stage(change, after, join(folder, 'new', String(number)));
      byNumber.set(number, {number, path, ...had, ...staged});
    }
    if (number % entriesPerTurn === 0) await turn();
  }
  const steps = ordered.flatMap(([number]) => byNumber.get(number) ?? []);
  const {unlock, lock} = planModes({
    changes,
    modes,
    steps,
    root: input.root,
    isLocked: (path) => staging.locked.get(path),
  });
  return {steps: [...unlock, ...steps, ...lock], sources: staging.sources, trees};
}

/**
 * Directories come last: a call that starts while they wait here would consider them older than itself, and not the ones that it
 * makes.
 */
function age({after}: Change): number {
  return after?.kind === 'directory' ? 1 : 0;
}

/** What moves with its tree is the same entry afterwards, and must be what was found and hashed. */
function stagedInPlace(
  {path, source}: Change,
  after: Entry,
  sha256: string | undefined,
): Pick<Step, 'gets' | 'content'> {
  const now = source === undefined ? undefined : lookAtOnce(source);
  if (now?.ino !== after.ino || now.ctimeNs !== after.ctimeNs) throw new ChangedConcurrently(path);
  const gets = identity(after);
  if (sha256 === undefined) return {gets};
  return {gets, content: {bytes: after.size, mtime: String(after.mtimeNs), sha256}};
}

interface LinkedFile {
  readonly target: string;
  readonly hash: string;
  /** Whether it is the file of the upper layer itself, and not a copy. */
  readonly isMade: boolean;
}

class Staging {
  /** Permissions that new directories get once they are filled, by path. */
  readonly locked = new Map<string, number>();
  /** Files of the upper layer that got one more name. */
  readonly sources: string[] = [];
  readonly #input: StageInput;
  readonly #linked = new Map<bigint, LinkedFile>();

  constructor(input: StageInput) {
    this.#input = input;
  }

  async stage(change: Change, after: Entry, target: string): Promise<Pick<Step, 'gets' | 'content'>> {
    const sha256 = after.kind === 'file' ? await this.#file(change, after, target) : undefined;
    if (after.kind === 'directory') this.#directory(change, after, target);
    else if (after.kind === 'symlink') {
      symlinkSync(after.link ?? '', target);
      dress(target, change, after.mode);
    } else if (after.kind === 'other')
      throw new SandboxError('BROKEN_INVARIANT', `\`${change.path}\` is not a file, directory or symlink`);
    const stat = lstatSync(target, {bigint: true});
    const gets = identity(stat);
    if (sha256 === undefined) return {gets};
    return {gets, content: {bytes: Number(stat.size), mtime: String(stat.mtimeNs), sha256}};
  }

  /** Returns the hash of its content. */
  async #file(change: Change, after: Entry, target: string): Promise<string> {
    const {path, source = join(this.#input.view, path), isMade, linkOf} = change;
    const first = after.links > 1 ? this.#linked.get(after.ino) : undefined;
    if (first !== undefined) {
      linkSync(first.target, target);
      if (first.isMade) this.sources.push(source);
      return first.hash;
    }
    const waits = this.#input.waits === true;
    if (!waits && linkOf !== undefined && isLinked(join(this.#input.root, linkOf.path), target, linkOf.ino))
      return await hashFile(target);
    const hash = await (isMade === true ? this.#link(source, target, change) : copied(source, target));
    if (isMade === true) this.sources.push(source);
    this.#linked.set(after.ino, {target, hash, isMade: isMade === true});
    dress(target, change, waits ? after.mode | 0o400 : after.mode, isMade !== true);
    return hash;
  }

  async #link(source: string, target: string, {path, after}: Change): Promise<string> {
    linkSync(source, target);
    const known = this.#input.hashes?.get(path);
    return known !== undefined && after !== undefined && isStill(target, after) ? known : await hashFile(target);
  }

  /** It stays open to us until what it contains is in place. */
  #directory(change: Change, {mode}: Entry, target: string): void {
    mkdirSync(target);
    if ((mode & 0o700) !== 0o700) this.locked.set(change.path, mode);
    dress(target, change, mode | 0o700);
  }
}

/** Permissions, times, and the owner: of what it replaces, or as the call made it, in a directory that passes on its group. */
function dress(target: string, {before, after}: Change, mode: number, hasTimes = true): void {
  if (after === undefined) return;
  const now = lstatSync(target);
  const owner = before ?? after;
  if (owner.uid !== now.uid || owner.gid !== now.gid) lchownSync(target, owner.uid, owner.gid);
  if (after.kind !== 'symlink' && ((now.mode & 0o7777) !== mode || before !== undefined)) chmodSync(target, mode);
  if (after.kind === 'directory' || !hasTimes) return;
  const seconds = fileTime(after.mtimeNs);
  lutimesSync(target, seconds, seconds);
}

/** False if the path no longer has the file that the call linked. */
function isLinked(file: string, target: string, ino: bigint): boolean {
  if (lstatSync(file, {bigint: true, throwIfNoEntry: false})?.ino !== ino) return false;
  linkSync(file, target);
  return true;
}

const chunkBytes = 1024 * 1024;
const bytesPerTurn = 8 * chunkBytes;
const sourceFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Holes stay holes, at the grain of a chunk. */
async function copied(source: string, target: string): Promise<string> {
  const hash = createHash('sha256');
  const from = openSync(source, sourceFlags);
  try {
    const to = openSync(target, 'wx');
    try {
      const chunk = Buffer.allocUnsafe(Math.max(1, Math.min(chunkBytes, fstatSync(from).size)));
      let position = 0;
      for (;;) {
        const length = readSync(from, chunk, 0, chunk.length, position);
        if (length === 0) break;
        const bytes = chunk.subarray(0, length);
        hash.update(bytes);
        if (!isHole(bytes)) writeSync(to, bytes, 0, length, position);
        position += length;
        if (position % bytesPerTurn === 0) await turn();
      }
      ftruncateSync(to, position);
    } finally {
      closeSync(to);
    }
  } finally {
    closeSync(from);
  }
  return hash.digest('hex');
}

function isHole(bytes: Buffer): boolean {
  return (
    bytes.length === chunkBytes && bytes[0] === 0 && bytes.compare(bytes, 1, bytes.length, 0, bytes.length - 1) === 0
  );
}
