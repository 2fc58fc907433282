// What a call has changed: its view of the workspace against the workspace, only where the view was written to.
// The view itself says what is gone, so that nothing here depends on how an overlay marks it.
import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {orAbsent} from '../files/or-absent.ts';
import {lookAt, type Entry} from './entry.ts';
import {sameContent} from './same-content.ts';

export interface Change {
  /** Relative to the workspace root. */
  readonly path: string;
  /** mode: the permissions alone. */
  readonly kind: 'created' | 'modified' | 'deleted' | 'mode';
  /** In the workspace, now. */
  readonly before?: Entry;
  /** In the view. */
  readonly after?: Entry;
}

export interface ComparedTrees {
  /** The workspace. */
  readonly root: string;
  /** As the call sees it; nothing writes to it any more. */
  readonly view: string;
  /** A tree that has an entry wherever the view was written to. */
  readonly touched: string;
  readonly changesMax: number;
  /** Whether a directory of the view can show what lies elsewhere in the workspace, since it was renamed. */
  readonly followsRenames?: boolean;
  /** Where `touched` has more than was written to. */
  readonly copied?: CopiedEntries;
}

/** What a copy was made of. */
export interface CopiedEntries {
  has(path: string): boolean;
  /** Whether an entry of the copy is as it was made; of a directory, but for what is in it. */
  isUntouched(path: string, now: Entry): boolean;
}

export type ChangeProblem =
  | {readonly kind: 'too_many'; readonly changesMax: number}
  | {readonly kind: 'unreadable_name'; readonly directory: string};

/** Sorted by path. Rejects with the system's error when something in the view cannot be read. */
export async function findChanges(trees: ComparedTrees): Promise<readonly Change[] | ChangeProblem> {
  const search = new Search(trees);
  const problem = await search.directory('', false);
  return problem ?? search.changes.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

class Search {
  readonly changes: Change[] = [];
  readonly #trees: ComparedTrees;

  constructor(trees: ComparedTrees) {
    this.#trees = trees;
  }

  /** `isNew`: there is no such directory in the workspace. `isOther`: it may show what lies elsewhere, untouched. */
  async directory(path: string, isNew: boolean, isOther = isNew): Promise<ChangeProblem | undefined> {
    const {view, touched, followsRenames = false} = this.#trees;
    const names = await namesIn(join(followsRenames && isOther ? view : touched, path));
    if (names === undefined) return {kind: 'unreadable_name', directory: path};
    // The state of the runtime changes all the time, and no view lets a call at it.
    if (path === '') names.delete('.lumenflow');
    for (const name of names) {
      const problem = await this.#entry(join(path, name), isNew);
      if (problem !== undefined) return problem;
    }
    return isNew ? undefined : await this.#goneFrom(path, names);
  }

  /** A directory that was removed and made again does not show what was in it. */
  async #goneFrom(path: string, names: ReadonlySet<string>): Promise<ChangeProblem | undefined> {
    const {root, view} = this.#trees;
    for (const name of (await namesIn(join(root, path))) ?? []) {
      if (names.has(name) || (path === '' && name === '.lumenflow')) continue;
      const inside = join(path, name);
      if ((await orAbsent(lookAt(join(view, inside)))) !== undefined) continue;
      const problem = await this.#gone(inside);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  async #entry(path: string, isNew: boolean): Promise<ChangeProblem | undefined> {
    const after = await lookAt(join(this.#trees.view, path));
    const before = isNew ? undefined : await lookAt(join(this.#trees.root, path));
    if (after === undefined) return before === undefined ? undefined : await this.#gone(path);
    const isTree = after.kind === 'directory';
    const wasTree = before?.kind === 'directory';
    if (this.#trees.copied?.isUntouched(path, after) === true) {
      return isTree ? await this.directory(path, !wasTree) : undefined;
    }
    if (before === undefined) this.changes.push({path, kind: 'created', after});
    else {
      const kind = await this.#difference(path, before, after);
      if (kind !== undefined) this.changes.push({path, kind, before, after});
    }
    const problem = (wasTree && !isTree ? await this.#goneBelow(path) : undefined) ?? this.#tooMany();
    return problem !== undefined || !isTree ? problem : await this.#inside(path, before, after);
  }

  /** An overlay shows the inode of the directory below: with another one it is new, or was renamed. */
  async #inside(path: string, before: Entry | undefined, after: Entry): Promise<ChangeProblem | undefined> {
    return await this.directory(path, before?.kind !== 'directory', before?.ino !== after.ino);
  }

  async #difference(path: string, before: Entry, after: Entry): Promise<'modified' | 'mode' | undefined> {
    if (before.kind !== after.kind || before.link !== after.link) return 'modified';
    if (before.kind === 'file') {
      const {root, view} = this.#trees;
      const isSame = before.size === after.size && before.mtimeNs === after.mtimeNs;
      if (!isSame || !(await sameContent(join(root, path), join(view, path)))) return 'modified';
    }
    return before.kind === 'symlink' || before.mode === after.mode ? undefined : 'mode';
  }

  async #gone(path: string): Promise<ChangeProblem | undefined> {
    const before = await lookAt(join(this.#trees.root, path));
    // What came after the copy was made is not gone from it.
    if (before === undefined || this.#trees.copied?.has(path) === false) return undefined;
    this.changes.push({path, kind: 'deleted', before});
    return this.#tooMany() ?? (before.kind === 'directory' ? await this.#goneBelow(path) : undefined);
  }

  async #goneBelow(path: string): Promise<ChangeProblem | undefined> {
    const names = await namesIn(join(this.#trees.root, path));
    if (names === undefined) return {kind: 'unreadable_name', directory: path};
    for (const name of names) {
      const problem = await this.#gone(join(path, name));
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  #tooMany(): ChangeProblem | undefined {
    const {changesMax} = this.#trees;
    return this.changes.length > changesMax ? {kind: 'too_many', changesMax} : undefined;
  }
}

/** Undefined when one of them is not UTF-8: no pattern of a scope could hold it. */
async function namesIn(directory: string): Promise<Set<string> | undefined> {
  const names = new Set<string>();
  for (const bytes of await readdir(directory, {encoding: 'buffer'})) {
    const name = bytes.toString('utf8');
    if (!Buffer.from(name).equals(bytes)) return undefined;
    names.add(name);
  }
  return names;
}
