// What a call has changed: its view is compared with the workspace, only where the view was written to. A deletion counts only if
// the upper layer records it: an entry that the view merely lacks may be new in the workspace.
import {join} from 'node:path';
import {setImmediate as turn} from 'node:timers/promises';
import {failed, ok, type Outcome} from '../outcome.ts';
import {SandboxError} from '../sandbox-error.ts';
import {UnfitChange, type Change, type ChangeProblem} from './change.ts';
import type {ComparedTrees} from './compared-trees.ts';
import {lookAtOnce, type Entry} from './entry.ts';
import {TimesInView, type KeptTimes} from './kept-times.ts';
import {namesIn} from './names-in.ts';
import {sameContent} from './same-content.ts';
import {ViewReader, type Found} from './view-reader.ts';
import {withLinkedNames} from './with-linked-names.ts';
import {pathBytesMax} from './write-limits.ts';

export interface FoundInView {
  /** Sorted by path. */
  readonly changes: readonly Change[];
  readonly times: KeptTimes;
}

/** Rejects with the system's error when something in the view cannot be read. */
export async function findChanges(trees: ComparedTrees): Promise<Outcome<FoundInView, ChangeProblem>> {
  const search = new Search(trees);
  try {
    await search.directory({path: '', live: 'same'});
  } catch (error) {
    if (error instanceof UnfitChange) return failed(error.problem);
    throw error;
  }
  const changes = search.changes.map((change) => search.linked(change)).toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const linked = await withLinkedNames(changes, {root: trees.root, isUntouched: (path) => search.isUntouched(path)});
  return linked.ok ? ok({changes: linked.value, times: search.times.after(linked.value)}) : linked;
}

/** A directory of the view, and what the workspace has at its path. */
interface Directory {
  readonly path: string;
  /**
   * `none`: there is no directory. `same`: the directory that the view shows beneath the call's writes. `replaced`: the call
   * removed that directory, so its names are deleted. `merged`: another program created it in the meantime.
   */
  readonly live: 'none' | 'same' | 'replaced' | 'merged';
  /** See `Change.replaced`. */
  readonly replaced?: string | undefined;
}

const entriesPerTurn = 128;

class Search {
  readonly changes: Change[] = [];
  readonly times: TimesInView;
  readonly #trees: ComparedTrees;
  readonly #view: ViewReader;
  /** Renamed files that are otherwise unchanged, by their inode in the view. */
  readonly #unchanged = new Map<bigint, {readonly path: string; readonly ino: bigint}>();
  #seen = 0;

  constructor(trees: ComparedTrees) {
    this.#trees = trees;
    this.times = new TimesInView(trees.startNs);
    this.#view = new ViewReader(trees);
  }

  isUntouched(directory: string): boolean {
    if (directory !== '.') return this.times.isUntouched(directory);
    const {touched, touchedTimeNs} = this.#trees;
    return touchedTimeNs !== undefined && lookAtOnce(`${touched}/`)?.mtimeNs === touchedTimeNs;
  }

  linked(change: Change): Change {
    const {after, before} = change;
    const linkOf = after?.kind === 'file' && before === undefined ? this.#unchanged.get(after.ino) : undefined;
    return linkOf === undefined ? change : {...change, linkOf};
  }

  async directory(directory: Directory): Promise<void> {
    const {path, live, replaced} = directory;
    const {root, view, touched, followsRenames = false} = this.#trees;
    // What was renamed is listed by the view alone, also where somebody else has made a directory of that name.
    const mayBeRenamed = followsRenames && (live !== 'same' || replaced === path);
    // It came with a directory that somebody else has moved here, and shows through: the call has written nothing to it.
    if (!mayBeRenamed && replaced !== undefined && lookAtOnce(join(touched, path)) === undefined) return;
    const names = namesIn(join(mayBeRenamed ? view : touched, path), path);
    // The runtime's state changes constantly, and no view gives a call access to it.
    if (path === '') names.delete('.lumenflow');
    for (const name of names) await this.#entry(join(path, name), directory);
    if (live === 'same') await this.#lacking(directory, names);
    if (live !== 'replaced') return;
    for (const name of namesIn(join(root, path), path)) {
      if (!names.has(name)) await this.#gone(join(path, name), directory.replaced);
    }
  }

  /** Entries of the original that the view no longer shows. */
  async #lacking({path, replaced}: Directory, names: ReadonlySet<string>): Promise<void> {
    for (const name of this.#trees.copied?.directory(path)?.names ?? []) {
      const inside = join(path, name);
      if (!names.has(name) && this.#view.at(inside) === undefined) await this.#gone(inside, replaced);
    }
  }

  async #entry(path: string, parent: Directory): Promise<void> {
    await this.#breathe(path);
    const before = parent.live === 'none' ? undefined : lookAtOnce(join(this.#trees.root, path));
    const found = this.#view.at(path);
    if (found === undefined) return before === undefined ? undefined : await this.#gone(path, parent.replaced);
    const {after, source, isMade} = found;
    if (after.kind === 'directory') return await this.#directory({path, parent, before, ...found});
    if (this.#trees.copied?.isUntouched(path, after) === true) return;
    await this.#note({path, before, after, source, isMade, replaced: parent.replaced});
    if (before?.kind === 'directory') await this.#goneBelow(path, parent.replaced);
  }

  async #directory(found: FoundDirectory): Promise<void> {
    const {path, parent, before, after, source, isMade} = found;
    const live = this.#liveOf(found);
    const replaced = live === 'other' ? path : parent.replaced;
    const isSame = this.#trees.copied?.isUntouched(path, after) === true;
    if (!isSame) await this.#note({path, before, after, source, isMade, replaced});
    // Its contents may not show this change: the call removed all of them, and another program has changed what is there now.
    if (live === 'other' && before?.kind === 'directory' && this.#isMadeAnew(found)) {
      this.#add({path, kind: 'mode', before, after, source, replaced: path});
    }
    await this.directory({path, live: live === 'other' ? 'same' : live, replaced});
  }

  /** other: the call saw another directory than the one that is there now. */
  #liveOf({path, parent, before, after, shown, isMoved}: FoundDirectory): Directory['live'] | 'other' {
    const {copied, followsRenames = false} = this.#trees;
    if (isMoved) return 'other';
    if (before?.kind !== 'directory') {
      // The view still shows a directory that somebody else has removed.
      const isShown = shown !== undefined && shown !== after.ino && !followsRenames;
      return isShown && parent.live === 'same' ? 'other' : 'none';
    }
    const was = copied?.directory(path);
    if (was !== undefined || copied?.isWhole === true) return liveOfCopied(was?.ino, before.ino);
    return this.#isShown(path, before, shown) ? 'same' : this.#liveUnshown(before, shown === after.ino);
  }

  /** Without inodes only a directory that the call has made hides the names of the one that is there. */
  #isMadeAnew({isMade}: FoundDirectory): boolean {
    return isMade || (!this.#view.showsInodes && this.#trees.copied === undefined);
  }

  /** Whether the view shows the directory that is in the workspace now. */
  #isShown(path: string, before: Entry, shown: bigint | undefined): boolean {
    if (!this.#view.showsInodes) return this.#showsLive(path);
    if (shown === undefined) throw new SandboxError('SYSTEM_REFUSED', `\`${path}\` cannot be entered`);
    return shown === before.ino;
  }

  /** `isMade`: the call has made the directory that the view shows. */
  #liveUnshown(before: Entry, isMade: boolean): Directory['live'] | 'other' {
    const {startNs = before.ctimeNs + 1n} = this.#trees;
    // The entry as it was when the call began: the call itself has removed or renamed it.
    if (before.ctimeNs < startNs) return 'replaced';
    return (isMade || !this.#view.showsInodes) && before.birthtimeNs >= startNs ? 'merged' : 'other';
  }

  /** Where inodes do not show it: whether a name shows through that was not written to, or there is none. */
  #showsLive(path: string): boolean {
    const {root, view, touched} = this.#trees;
    const written = namesIn(join(touched, path), path);
    const others = [...namesIn(join(root, path), path)]
      .filter((name) => !written.has(name))
      // No overlay shows a file that looks like its own deletion mark.
      .filter((name) => lookAtOnce(join(root, path, name))?.isWhiteout !== true);
    return others.length === 0 || others.some((name) => lookAtOnce(join(view, path, name)) !== undefined);
  }

  async #note({before, after, source, isMade, replaced, path}: Noted): Promise<void> {
    const kind = before === undefined ? 'created' : await this.#difference(path, {before, after, source});
    if (before === undefined || before.kind === after.kind) this.times.note({path, before, after});
    if (kind === undefined) {
      if (before?.kind === 'file' && after.links > 1) this.#unchanged.set(after.ino, {path, ino: before.ino});
      return;
    }
    this.#add({
      path,
      kind,
      ...(before && {before}),
      after,
      source,
      isMade,
      replaced,
    });
  }

  async #difference(
    path: string,
    {before, after, source}: {readonly before: Entry; readonly after: Entry; readonly source: string},
  ): Promise<'modified' | 'mode' | undefined> {
    if (before.kind !== after.kind || before.link !== after.link) return 'modified';
    if (before.kind === 'file') {
      const isSame = before.size === after.size && before.mtimeNs === after.mtimeNs;
      if (!isSame || !(await sameContent(join(this.#trees.root, path), source))) return 'modified';
    }
    return before.kind === 'symlink' || before.mode === after.mode ? undefined : 'mode';
  }

  async #gone(path: string, replaced: string | undefined): Promise<void> {
    await this.#breathe(path);
    const before = lookAtOnce(join(this.#trees.root, path));
    // Entries created after the copy are not deletions.
    if (before === undefined || this.#trees.copied?.has(path) === false) return;
    this.#add({path, kind: 'deleted', before, replaced});
    if (before.kind === 'directory') await this.#goneBelow(path, replaced);
  }

  async #goneBelow(path: string, replaced: string | undefined): Promise<void> {
    for (const name of namesIn(join(this.#trees.root, path), path)) await this.#gone(join(path, name), replaced);
  }

  #add(change: Change): void {
    const {changesMax} = this.#trees;
    this.changes.push(change);
    if (this.changes.length > changesMax) throw new UnfitChange({kind: 'too_many', changesMax});
  }

  async #breathe(path: string): Promise<void> {
    if (path.length > pathBytesMax / 3 && Buffer.byteLength(path) > pathBytesMax)
      throw new UnfitChange({kind: 'too_long', path});
    this.#seen += 1;
    if (this.#seen % entriesPerTurn === 0) await turn();
  }
}

interface FoundDirectory extends Found {
  readonly path: string;
  readonly parent: Directory;
  readonly before: Entry | undefined;
}

interface Noted {
  readonly path: string;
  readonly before: Entry | undefined;
  readonly after: Entry;
  readonly source: string;
  readonly isMade?: boolean;
  readonly replaced?: string | undefined;
}

/** `was`: the inode when the workspace was copied, if the directory was there. */
function liveOfCopied(was: bigint | undefined, now: bigint): Directory['live'] | 'other' {
  if (was === undefined) return 'merged';
  return was === now ? 'same' : 'other';
}
