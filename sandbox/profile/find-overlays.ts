// Walks once over everything that is mounted, to find what must be hidden in it and what must stay read-only.
import {governsRepository, isCodeOfOthers, isTrusted, trustedPaths} from '@lumenflow/pack-sdk/trusted-paths';
import type {DenyOverlay} from '@lumenflow/schemas';
import {dirname, join} from 'node:path';
import {followLink} from './follow-link.ts';
import {pathsGitObeys, repositoryAt, type Repository} from './git/paths-git-obeys.ts';
import type {HiddenPaths} from './hidden-paths.ts';
import type {FileKind, HostFiles} from './host-files.ts';
import {isWithin} from './host-paths.ts';
import type {ProfileInput, WatchedPath} from './profile-input.ts';
import {UnreadablePath} from './unreadable-path.ts';
import {walkTree, type Walk, type WalkedEntry} from './walk.ts';

export interface Overlays {
  readonly hidden: readonly DenyOverlay[];
  /** To be mounted read-only again: absolute. */
  readonly trusted: readonly string[];
  readonly watched: readonly WatchedPath[];
  /** Everything that is hidden or trusted where the call may write: absolute. */
  readonly guarded: readonly string[];
  /** What is trusted because something else names it, whether it is there or not: absolute. */
  readonly obeyed: readonly string[];
}

export interface OverlaySearch {
  readonly input: ProfileInput;
  readonly walk: Walk;
  readonly hiddenPaths: HiddenPaths;
  /** Every mounted path, absolute. */
  readonly mounted: readonly string[];
  /** Those of them that are writable. */
  readonly writable: readonly string[];
  /** Directories to search: mounted, and not nested. */
  readonly tops: readonly string[];
}

/** They are named by content: nothing in them can match, and there are many. */
const gitObjects = /\/\.git\/(modules\/.*\/)?objects$/;
/** Limits the mounts of a profile. Third-party packages contain names to hide, but never that many. */
const hiddenInCodeMax = 500;

const literals: readonly string[] = ['.git', ...trustedPaths];
const topOf = (path: string): string => path.split('/')[0] ?? path;
const literalTops: readonly string[] = [...new Set(literals.map(topOf))];

export async function findOverlays(search: OverlaySearch): Promise<Overlays> {
  return await new OverlayFinder(search).find();
}

class OverlayFinder {
  readonly #search: OverlaySearch;
  readonly #hidden = new Map<string, DenyOverlay>();
  readonly #trusted = new Set<string>();
  readonly #guarded = new Set<string>();
  readonly #hiddenInCode: string[] = [];
  readonly #watched = new Map<string, WatchedPath>();
  readonly #obeyed = new Set<string>();
  readonly #repositories = new Map<string, Repository>();
  readonly #named: readonly string[];
  readonly #isNamed: (relative: string) => boolean;

  constructor(search: OverlaySearch) {
    this.#search = search;
    this.#named = (search.input.trustedPaths ?? []).map(withoutTail);
    const tests = this.#named.map((pattern) => search.input.compilePattern(pattern));
    this.#isNamed = (relative) => tests.some((test) => test(relative));
  }

  async find(): Promise<Overlays> {
    const {hiddenPaths, input, tops, walk, writable} = this.#search;
    for (const path of hiddenPaths.literals) this.#hide(path);
    for (const top of tops) await walkTree(walk, top, (entry) => this.#visit(entry));
    for (const directory of writable) this.#lookForLiterals(directory);
    // What programs obey is sealed against writes.
    if (input.grant.write.length > 0) this.#lookForNamed();
    if (this.#hiddenInCode.length > hiddenInCodeMax) for (const path of this.#hiddenInCode) this.#guarded.add(path);
    return {
      hidden: [...this.#hidden.values()],
      trusted: [...this.#trusted],
      watched: [...this.#watched.values()],
      guarded: [...this.#guarded],
      obeyed: [...this.#obeyed],
    };
  }

  #visit({path, name, kind, isInRepository}: WalkedEntry): boolean {
    const {hiddenPaths} = this.#search;
    if (hiddenPaths.matches(path)) {
      if (this.#isWritable(path)) {
        if (isCodeOfOthers(this.#relative(path))) this.#hiddenInCode.push(path);
        else this.#guarded.add(path);
      }
      this.#hide(path, kind);
      return false;
    }
    if (kind === 'socket') {
      // Its listener is a program of the host.
      this.#hide(path, kind);
      return false;
    }
    const relative = this.#relative(path);
    const governs = isInRepository && governsRepository(name);
    if (governs || isTrusted(relative, kind) || this.#isNamed(relative)) this.#guard(path, kind);
    if (name === '.git') this.#addRepository(dirname(path));
    else if (isInRepository && name === 'HEAD' && !/\/\.git(\/|$)/.test(dirname(path)))
      this.#repositories.set(dirname(path), bare(dirname(path)));
    return !gitObjects.test(path) && !(isInRepository && name === 'objects');
  }

  /** Seals a trusted path and its target. */
  #guard(path: string, kind: FileKind): void {
    if (!this.#isWritable(path) || this.#guarded.has(path)) return;
    this.#guarded.add(path);
    if (kind !== 'symlink') return void this.#trusted.add(path);
    const {files} = this.#search.input;
    const followed = followLink(path, files);
    for (const link of followed?.links ?? [path]) {
      if (!this.#isWritable(link)) continue;
      this.#watched.set(link, {path: link, link: files.linkText(link)});
      if (link !== path) this.#obeyed.add(link);
    }
    if (followed !== undefined) this.#obey(followed.target);
  }

  /** Seals what something that is trusted names, there or not. */
  #obey(path: string): void {
    if (!isWithin(path, this.#search.input.workspaceRoot) || path === this.#search.input.workspaceRoot) return;
    this.#obeyed.add(path);
    if (!this.#isWritable(path)) return;
    const kind = this.#search.input.files.kindOf(path);
    if (kind === undefined) this.#watched.set(path, {path, link: undefined});
    else this.#guard(path, kind);
  }

  #addRepository(workTree: string): void {
    const repository = repositoryAt(workTree, this.#search.input.files);
    if (repository !== undefined) this.#repositories.set(repository.directory, repository);
  }

  /** What workspace.yaml names, and the configuration of each repository, of that around the workspace, too. */
  #lookForNamed(): void {
    const {files, home, workspaceRoot} = this.#search.input;
    for (const pattern of this.#named) {
      if (!/[*?]/.test(pattern)) this.#obey(join(workspaceRoot, pattern));
    }
    for (let above = workspaceRoot; above !== dirname(above); above = dirname(above)) this.#addRepository(above);
    for (const repository of this.#repositories.values()) {
      for (const path of pathsGitObeys(repository, home, files)) this.#obey(path);
    }
  }

  /** The literal names in a directory that is written to, listed or not. */
  #lookForLiterals(directory: string): void {
    const {hiddenPaths, input} = this.#search;
    if (input.files.kindOf(directory) !== 'directory' || hiddenPaths.covers(directory)) return;
    const absent = new Set(literalTops.filter((top) => input.files.kindOf(`${directory}/${top}`) === undefined));
    for (const name of literals) {
      const path = `${directory}/${name}`;
      if (hiddenPaths.covers(path) || this.#guarded.has(path)) continue;
      const kind = absent.has(topOf(name)) ? undefined : input.files.kindOf(path);
      if (kind === undefined) this.#watched.set(path, {path, link: undefined});
      else if (kind !== 'socket' && isTrusted(this.#relative(path), kind)) this.#guard(path, kind);
    }
  }

  #hide(path: string, known?: FileKind): void {
    const {input, mounted} = this.#search;
    const isMounted = mounted.some((mount) => isWithin(path, mount));
    const kind = known ?? (isMounted ? input.files.kindOf(path) : kindOutside(path, input.files));
    if (kind === undefined) return;
    if (kind !== 'symlink') {
      if (isMounted) this.#hidden.set(path, {path, kind: kind === 'directory' ? 'directory' : 'file'});
      return;
    }
    // A symlink cannot be a mount point; its target is hidden if the sandbox could reach it.
    const target = input.files.realPath(path);
    if (target !== undefined) this.#hide(target);
  }

  #isWritable(path: string): boolean {
    return this.#search.writable.some((mount) => isWithin(path, mount));
  }

  #relative(path: string): string {
    return path.slice(this.#search.input.workspaceRoot.length + 1);
  }
}

/** A pattern that covers everything in a directory covers the directory. */
function withoutTail(pattern: string): string {
  return pattern.replace(/(\/\*\*)+$/, '');
}

function bare(directory: string): Repository {
  return {workTree: directory, directory};
}

/** A path outside all mounts that cannot be inspected does not exist for the sandbox. */
function kindOutside(path: string, files: HostFiles): FileKind | undefined {
  try {
    return files.kindOf(path);
  } catch (error) {
    if (error instanceof UnreadablePath) return undefined;
    throw error;
  }
}
