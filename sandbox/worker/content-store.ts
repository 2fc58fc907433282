// Contents of files by their SHA-256, kept for later calls within a size. Each host has its own: a digest is not a secret, and must not
// give access to the files of another host. A content is verified when it is used, unless its file was verified before and is the
// same: no program can set the time of its last change.
import {createHash, randomUUID} from 'node:crypto';
import {
  constants,
  copyFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import {rm} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {makeOwnedFolder, reapOwnedFolders} from '../backends/leftover-folders.ts';

export interface ContentStore {
  /** The contents that this host has uploaded. `owner`: the id of its key. */
  of(owner: string): HostContents;
  close(): Promise<void>;
}

export interface HostContents {
  /** Of these digests, those that it does not have. */
  missing(digests: readonly string[]): readonly string[];
  /** Returns its digest. */
  put(content: Uint8Array): string;
  /** Throws RangeError if it does not have it. `at` does not exist. */
  copy(sha256: string, at: string): void;
}

export interface ContentStoreOptions {
  /** Created if it does not exist. Of this user alone. */
  readonly folder: string;
  readonly bytesMax: number;
}

/** The folder of contents that are being written. */
const draftsKind = 'drafts';
/** The size after contents were removed, in parts of the largest one. */
const keptPart = 0.8;
const digestPattern = /^[0-9a-f]{64}$/;

export async function openContentStore({folder, bytesMax}: ContentStoreOptions): Promise<ContentStore> {
  const contents = join(folder, 'contents');
  mkdirSync(contents, {recursive: true, mode: 0o700});
  await reapOwnedFolders(folder, draftsKind);
  const drafts = await makeOwnedFolder(folder, draftsKind);
  /** The file that was verified, by path. */
  const verified = new Map<string, string>();
  /** Milliseconds since the epoch, by path. */
  const used = new Map<string, number>();
  let bytes = filesIn(contents).reduce((sum, path) => sum + sizeOf(path), 0);

  function remove(path: string): void {
    bytes -= sizeOf(path);
    rmSync(path, {force: true});
    verified.delete(path);
    used.delete(path);
  }

  /** Of all hosts, those that were used longest ago. */
  function makeRoom(): void {
    if (bytes <= bytesMax) return;
    const found = filesIn(contents).flatMap((path) => {
      const stat = statSync(path, {throwIfNoEntry: false});
      return stat === undefined ? [] : [{path, usedAt: used.get(path) ?? stat.mtimeMs}];
    });
    for (const {path} of found.toSorted((a, b) => a.usedAt - b.usedAt)) {
      if (bytes <= bytesMax * keptPart) return;
      remove(path);
    }
  }

  /** `path` ends with the digest. */
  function isWhole(path: string): boolean {
    const mark = markOf(path);
    if (mark === undefined) return false;
    if (verified.get(path) === mark) return true;
    if (digestOf(readFileSync(path)) !== basename(path)) {
      remove(path);
      return false;
    }
    verified.set(path, mark);
    return true;
  }

  function put(content: Uint8Array, path: string): void {
    if (isWhole(path)) return;
    const draft = join(drafts, randomUUID());
    writeFileSync(draft, content, {mode: 0o600, flag: 'wx'});
    renameSync(draft, path);
    const mark = markOf(path);
    if (mark !== undefined) verified.set(path, mark);
    bytes += content.length;
    used.set(path, Date.now());
    makeRoom();
  }

  return {
    of(owner) {
      const own = join(contents, digestOf(owner));
      mkdirSync(own, {recursive: true, mode: 0o700});
      return hostContents(own, {isWhole, put, noteUse: (path) => void used.set(path, Date.now())});
    },
    async close() {
      await rm(drafts, {recursive: true, force: true});
    },
  };
}

interface StoredFiles {
  isWhole(path: string): boolean;
  put(content: Uint8Array, path: string): void;
  noteUse(path: string): void;
}

function hostContents(folder: string, {isWhole, put, noteUse}: StoredFiles): HostContents {
  return {
    missing: (digests) =>
      digests.filter((sha256) => !digestPattern.test(sha256) || sizeOf(join(folder, sha256), -1) < 0),
    put(content) {
      const sha256 = digestOf(content);
      put(content, join(folder, sha256));
      return sha256;
    },
    copy(sha256, at) {
      const path = join(folder, sha256);
      if (!digestPattern.test(sha256) || !isWhole(path)) throw new RangeError(`the content ${sha256} is missing`);
      noteUse(path);
      copyFileSync(path, at, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    },
  };
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, {recursive: true, withFileTypes: true}).flatMap((entry) =>
    entry.isFile() ? join(entry.parentPath, entry.name) : [],
  );
}

function digestOf(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}

function sizeOf(path: string, otherwise = 0): number {
  return statSync(path, {throwIfNoEntry: false})?.size ?? otherwise;
}

function markOf(path: string): string | undefined {
  const stat = statSync(path, {bigint: true, throwIfNoEntry: false});
  return stat && `${stat.ino} ${stat.size} ${stat.ctimeNs}`;
}
