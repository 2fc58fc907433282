// A copy of the workspace as the view of a call, if no overlay is available: slower, and only for a workspace of limited size.
// The receipt says so.
import {constants} from 'node:fs';
import {chmod, copyFile, lutimes, mkdir, readdir, readlink, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {SandboxProfile} from '@lumenflow/schemas';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import {isWithin} from '../profile/host-paths.ts';
import {lookAt, type Entry} from './entry.ts';
import {fileTime} from './file-time.ts';
import {watchWrites, type WriteWatch} from './watch-writes.ts';
import {innerMountsText, type ViewInput, type WorkspaceView} from './workspace-view.ts';

export interface CopyBounds {
  readonly entriesMax: number;
  readonly bytesMax: number;
}

const usualBounds: CopyBounds = {entriesMax: 10_000, bytesMax: 256 * 1024 * 1024};
const stateFolder = '.lumenflow';

/** `why`: why no overlay is available. `inner`: mount points inside the workspace, which are read-only for the call. */
export async function openCopy(
  input: ViewInput,
  why: SandboxProblem,
  {inner = [], ...bounds}: Partial<CopyBounds> & {readonly inner?: readonly string[]} = {},
): Promise<Outcome<WorkspaceView>> {
  const {root, folder, profile, enter} = input;
  const tree = join(folder, 'tree');
  const {entriesMax, bytesMax} = {...usualBounds, ...bounds};
  const copy = new Copy({root: input.copies ?? root, tree, inner: new Set(inner)}, {entriesMax, bytesMax});
  await mkdir(tree, {mode: 0o700});
  if (!(await copy.directory(''))) {
    const message = `${why.message}, and the workspace is too large to copy: it has more than ${entriesMax} entries or ${bytesMax} bytes`;
    return failed({message, help: why.help});
  }
  const isUntouched = (path: string, now: Entry): boolean => copy.marks.get(path) === markOf(now);
  let watch: WriteWatch | undefined;
  return ok({
    door: tree,
    touched: tree,
    enter,
    profile: mountedFrom(tree, root, profile, inner),
    degraded: [
      `writes: kept in a copy of the workspace until they are applied (${why.message})`,
      ...innerMountsText(inner),
    ],
    inner,
    copied: {
      isWhole: true,
      has: (path) => copy.marks.has(path),
      directory: (path) => copy.directories.get(path),
      isUntouched,
    },
    seal: async () => undefined,
    async begin(onLimit) {
      watch = await watchWrites({
        ...input,
        root: input.base ?? root,
        touched: tree,
        isUntouched,
        isOwnFileSystem: false,
        onLimit,
      });
    },
    keepAlive: () => undefined,
    metLimit: async () => await watch?.finish(),
    close: () => watch?.stop(),
  });
}

interface CopiedTrees {
  readonly root: string;
  readonly tree: string;
  readonly inner: ReadonlySet<string>;
}

class Copy {
  /** Each entry as it was copied. */
  readonly marks: Map<string, string> = new Map();
  /** For each directory: the copied names, and its inode in the workspace. */
  readonly directories: Map<string, {readonly names: string[]; readonly ino: bigint}> = new Map();
  readonly #root: string;
  readonly #tree: string;
  readonly #inner: ReadonlySet<string>;
  #entriesLeft: number;
  #bytesLeft: number;

  constructor({root, tree, inner}: CopiedTrees, {entriesMax, bytesMax}: CopyBounds) {
    this.#root = root;
    this.#tree = tree;
    this.#inner = inner;
    this.#entriesLeft = entriesMax;
    this.#bytesLeft = bytesMax;
  }

  /** False if the workspace exceeds the bounds. */
  async directory(path: string): Promise<boolean> {
    const names = await readdir(join(this.#root, path));
    const ino = (await lookAt(join(this.#root, path)))?.ino;
    if (ino !== undefined) this.directories.set(path, {names, ino});
    for (const name of names) {
      const isWhole =
        path === '' && name === stateFolder ? await this.#mountPoint(name) : await this.#entry(join(path, name));
      if (!isWhole) return false;
    }
    return true;
  }

  /** The state of the runtime is not copied: the call gets an empty directory over it. */
  async #mountPoint(path: string): Promise<boolean> {
    await mkdir(join(this.#tree, path));
    await this.#mark(path);
    return true;
  }

  async #entry(path: string): Promise<boolean> {
    const entry = await lookAt(join(this.#root, path));
    if (entry === undefined || entry.kind === 'other') return true;
    this.#entriesLeft -= 1;
    this.#bytesLeft -= entry.kind === 'file' ? entry.size : 0;
    if (this.#entriesLeft < 0 || this.#bytesLeft < 0) return false;
    const isWhole = await this.#make(path, entry);
    await this.#mark(path);
    return isWhole;
  }

  async #mark(path: string): Promise<void> {
    const copied = await lookAt(join(this.#tree, path));
    if (copied !== undefined) this.marks.set(path, markOf(copied));
  }

  async #make(path: string, {kind, mode, mtimeNs}: Entry): Promise<boolean> {
    const source = join(this.#root, path);
    const target = join(this.#tree, path);
    const time = fileTime(mtimeNs);
    if (kind === 'symlink') {
      await symlink(await readlink(source), target);
      await lutimes(target, time, time);
      return true;
    }
    if (kind === 'directory') {
      await mkdir(target);
      const isWhole = this.#inner.has(path) || (await this.directory(path));
      await chmod(target, mode);
      await lutimes(target, time, time);
      return isWhole;
    }
    if (this.#inner.has(path)) {
      await writeFile(target, '', {flag: 'wx'});
      return true;
    }
    await copyFile(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    await lutimes(target, time, time);
    await chmod(target, mode);
    return true;
  }
}

/** No program can set the time of an entry's last change. That of a directory changes with its contents. */
function markOf({kind, mode, ino, ctimeNs}: Entry): string {
  return kind === 'directory' ? `directory:${mode}` : `${ino}:${ctimeNs}`;
}

/** What is in the workspace comes from the copy, except the state of the runtime. */
function mountedFrom(tree: string, root: string, profile: SandboxProfile, inner: readonly string[]): SandboxProfile {
  const moved = (mounts: SandboxProfile['writable_bind_mounts']): SandboxProfile['writable_bind_mounts'] =>
    mounts.map(({source, target}) =>
      isWithin(source, root) && !isWithin(source, join(root, stateFolder))
        ? {source: join(tree, source.slice(root.length)), target}
        : {source, target},
    );
  const mounted = [...profile.writable_bind_mounts, ...profile.readonly_bind_mounts].map(({source}) => source);
  const visible = inner
    .map((path) => join(root, path))
    .filter((path) => mounted.some((source) => isWithin(path, source)))
    .map((path) => ({source: path, target: path}));
  return {
    ...profile,
    writable_bind_mounts: moved(profile.writable_bind_mounts),
    readonly_bind_mounts: [...moved(profile.readonly_bind_mounts), ...visible],
  };
}
