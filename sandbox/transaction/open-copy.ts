// A copy of the workspace as the view of a call, if no overlay is available: slower, and only for a workspace of limited size.
// The receipt says so.
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lutimesSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {setImmediate as turn} from 'node:timers/promises';
import type {SandboxProfile} from '@lumenflow/schemas';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import {isWithin} from '../profile/host-paths.ts';
import {copyContent} from './copy-content.ts';
import {lookAtOnce, type Entry} from './entry.ts';
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
  mkdirSync(tree, {mode: 0o700});
  if (!(await copy.whole())) {
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

/** A way through the thread pool takes longer than most entries do. Others get their turn after so many. */
const entriesPerTurn = 64;
/** A larger file is copied in parts. */
const atOnceBytesMax = 1024 * 1024;
/** The root may be a descriptor of another process, which the kernel shows as a symlink. */
const rootFlags = constants.O_RDONLY | constants.O_DIRECTORY;
const directoryFlags = rootFlags | constants.O_NOFOLLOW;

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
  async whole(): Promise<boolean> {
    return await this.#directory('', openSync(this.#root, rootFlags));
  }

  /** Closes it. What replaces the directory, or one above it, in the meantime is not copied. */
  async #directory(path: string, fd: number): Promise<boolean> {
    try {
      const at = process.platform === 'linux' ? `/proc/self/fd/${fd}` : join(this.#root, path);
      const names = readdirSync(at);
      this.directories.set(path, {names, ino: fstatSync(fd, {bigint: true}).ino});
      for (const name of names) {
        const isState = path === '' && name === stateFolder;
        const isWhole = isState ? this.#mountPoint(name) : await this.#entry(join(path, name), `${at}/${name}`);
        if (!isWhole) return false;
      }
      return true;
    } finally {
      closeSync(fd);
    }
  }

  /** The state of the runtime is not copied: the call gets an empty directory over it. */
  #mountPoint(path: string): boolean {
    mkdirSync(join(this.#tree, path));
    this.#mark(path);
    return true;
  }

  /** `source`: its name in a directory that is open. */
  async #entry(path: string, source: string): Promise<boolean> {
    if (this.#entriesLeft % entriesPerTurn === 0) await turn();
    const entry = lookAtOnce(source);
    if (entry === undefined || entry.kind === 'other') return true;
    this.#entriesLeft -= 1;
    this.#bytesLeft -= entry.kind === 'file' ? entry.size : 0;
    if (this.#entriesLeft < 0 || this.#bytesLeft < 0) return false;
    const isWhole = await this.#make(path, source, entry);
    this.#mark(path);
    return isWhole;
  }

  #mark(path: string): void {
    const copied = lookAtOnce(join(this.#tree, path));
    if (copied !== undefined) this.marks.set(path, markOf(copied));
  }

  async #make(path: string, source: string, {kind, mode, mtimeNs, size}: Entry): Promise<boolean> {
    const target = join(this.#tree, path);
    const time = fileTime(mtimeNs);
    if (kind === 'symlink') {
      symlinkSync(readlinkSync(source), target);
      lutimesSync(target, time, time);
      return true;
    }
    if (kind === 'directory') {
      mkdirSync(target);
      const isWhole = this.#inner.has(path) || (await this.#directory(path, openSync(source, directoryFlags)));
      chmodSync(target, mode);
      lutimesSync(target, time, time);
      return isWhole;
    }
    if (this.#inner.has(path)) {
      writeFileSync(target, '', {flag: 'wx'});
      return true;
    }
    if (size > atOnceBytesMax) await copyContent(source, target);
    else copyAtOnce(source, target);
    lutimesSync(target, time, time);
    chmodSync(target, mode);
    return true;
  }
}

/** Another call may put a symlink or a named pipe in its place at any time: neither is followed, nor waited for. */
function copyAtOnce(source: string, target: string): void {
  const from = openSync(source, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    writeFileSync(target, readFileSync(from), {flag: 'wx'});
  } finally {
    closeSync(from);
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
