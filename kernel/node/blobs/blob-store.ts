// Inputs and outputs by their SHA-256. Each large one is a file. Small ones are appended to a pack, because a file costs more than
// its call. Each process has its own packs, so storing a blob needs no lock.
import {isKernelError, KernelError} from '@lumenflow/kernel';
import {RecentMap} from '@lumenflow/kernel/adapters';
import {randomBytes} from 'node:crypto';
import {closeSync, existsSync, fstatSync, mkdirSync, openSync} from 'node:fs';
import {link, open, unlink, type FileHandle} from 'node:fs/promises';
import {join} from 'node:path';
import {readArchived} from '../archive/archived-file.ts';
import {writeFully, type FileOperations} from '../log/file-operations.ts';
import {syncFolder} from '../log/segment-files.ts';
import {sha256Hex} from '../system/sha256.ts';
import {blobFileNames, formatBlobRef, packHeader, parseBlobRef} from './blob-ref.ts';
import {deleteContents} from './delete-contents.ts';
import {DeletionWatch} from './deletion-watch.ts';
import {readBlob, type BlobReading} from './read-blob.ts';
import {readText} from './read-text.ts';
import {shredBlobs} from './shred-blob.ts';

const packedBytesMax = 64 * 1024;
const packBytesMax = 64 * 1024 * 1024;
/** Blobs whose location is remembered, so that the same input is kept once. */
const rememberedMax = 2_048;

export interface BlobStoreOptions {
  readonly folder: string;
  readonly files: FileOperations;
  /** Whether large blobs are on disk before their promise resolves. */
  readonly fsync: boolean;
}

export interface StoredBlob {
  readonly hash: string;
  readonly ref: string;
}

export class BlobStore {
  readonly #folder: string;
  readonly #files: FileOperations;
  readonly #fsync: boolean;
  readonly #remembered = new RecentMap<string, StoredBlob>(rememberedMax);
  #pack: {readonly name: string; readonly fd: number; size: number} | undefined;
  /** Packs with bytes that are not known to be on disk. */
  readonly #unsynced = new Set<number>();
  /** Packs that are full and still open. */
  readonly #retired = new Set<number>();
  /** Files of the folder that may have bytes not yet on disk, and that this process does not have open. */
  readonly #unsyncedNames = new Set<string>();
  #folderSynced = false;
  readonly #watch: DeletionWatch;
  /** What deletions that run in this process are about to delete. */
  readonly #deleting = new Set<Set<string>>();

  constructor(options: BlobStoreOptions) {
    mkdirSync(options.folder, {recursive: true, mode: 0o700});
    this.#folder = options.folder;
    this.#files = options.files;
    this.#fsync = options.fsync;
    this.#watch = new DeletionWatch(options.folder);
  }

  /** Keeps the text's UTF-8 bytes. */
  async put(text: string): Promise<StoredBlob> {
    const hash = sha256Hex(text);
    const known = this.#remembered.get(hash);
    if (known !== undefined) return known;
    const blob = {hash, ref: await this.#store(hash, Buffer.from(text))};
    this.#remembered.set(hash, blob);
    return blob;
  }

  /** Undefined when it is missing; throws KernelError LOG_CORRUPT when it is not what was put, and NeedsArchive. */
  get(ref: string): string | undefined {
    return readText(this.#folder, ref);
  }

  /** Read from disk and verified. Throws NeedsArchive. */
  read(ref: string): BlobReading {
    return readBlob(this.#folder, ref);
  }

  /** Overwrites every copy of contents, of all processes; returns the refs to each. */
  async shred(hashes: ReadonlySet<string>): Promise<ReadonlyMap<string, readonly string[]>> {
    try {
      return await shredBlobs(this.#folder, hashes);
    } catch (cause) {
      throw unavailable(cause);
    } finally {
      for (const hash of hashes) this.forget(hash);
    }
  }

  /**
   * Deletes contents that no call needs any more. `step` runs under the workspace's lock and drops from `hashes` what was recorded since
   * then. Returns the refs that led to a copy.
   */
  async deleteUnneeded(
    hashes: Set<string>,
    step: (work: () => void) => Promise<void>,
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    this.#deleting.add(hashes);
    try {
      return await deleteContents(this.#folder, {hashes, step, isFresh: (location) => this.#watch.isFresh(location)});
    } catch (cause) {
      throw isKernelError(cause) ? cause : unavailable(cause);
    } finally {
      this.#deleting.delete(hashes);
    }
  }

  /** Under the workspace's lock: from here on, a process looks at what it stored before it records it. */
  announceDeletion(): void {
    this.#watch.announce(this.#pack);
    this.forgetAll();
  }

  /** Under the workspace's lock, when other processes had it. */
  noticeDeletions(): void {
    if (this.#watch.notice(this.#pack)) this.forgetAll();
  }

  /** Under the workspace's lock: whether contents can be recorded now. Otherwise a rule has deleted one since it was stored. */
  canRecord(refs: readonly string[]): boolean {
    return !this.#watch.hasSeen || refs.every((ref) => this.#isThere(ref));
  }

  #isThere(ref: string): boolean {
    const location = parseBlobRef(ref);
    if (location === undefined || this.#watch.isFresh(location)) return true;
    // An archived copy may be deleted at any moment.
    if (!existsSync(join(this.#folder, location.kind === 'file' ? location.hash : location.pack))) return false;
    const reading = readBlob(this.#folder, ref);
    if (reading.kind !== 'found') return false;
    for (const hashes of this.#deleting) hashes.delete(reading.hash);
    return true;
  }

  /** A shredded content that is stored again gets a new copy. */
  forget(hash: string): void {
    this.#remembered.delete(hash);
  }

  forgetAll(): void {
    this.#remembered.clear();
  }

  /** For a record's line that another process wrote, or may have written: its contents go to disk with the next sync. */
  notice(line: Buffer): void {
    for (const name of blobFileNames(line)) this.#unsyncedNames.add(name);
  }

  /** Resolves once all blobs put or noticed before are on disk. One at a time. */
  async datasync(): Promise<void> {
    const fds = [...this.#unsynced];
    const names = [...this.#unsyncedNames];
    this.#unsynced.clear();
    this.#unsyncedNames.clear();
    try {
      await Promise.all([
        ...fds.map((fd) => this.#files.datasync(fd)),
        ...names.map((name) => syncNamed(this.#files, join(this.#folder, name))),
      ]);
      if (names.length > 0 || (fds.length > 0 && !this.#folderSynced)) syncFolder(this.#folder);
    } catch (cause) {
      for (const fd of fds) this.#unsynced.add(fd);
      for (const name of names) this.#unsyncedNames.add(name);
      throw unavailable(cause);
    }
    this.#folderSynced = true;
    for (const fd of this.#retired) {
      if (this.#unsynced.has(fd)) continue;
      closeSync(fd);
      this.#retired.delete(fd);
    }
  }

  close(): void {
    if (this.#pack !== undefined) this.#retired.add(this.#pack.fd);
    for (const fd of this.#retired) closeSync(fd);
    this.#retired.clear();
    this.#unsynced.clear();
    this.#pack = undefined;
  }

  async #store(hash: string, bytes: Uint8Array): Promise<string> {
    try {
      // An archived content may be redacted there, so its ref is not used again.
      if (bytes.length <= packedBytesMax || readArchived(this.#folder, hash)) return this.#append(hash, bytes);
      const ref = formatBlobRef({kind: 'file', hash});
      if (await this.#writeFile(hash, bytes)) {
        this.#watch.created('file', hash);
        return ref;
      }
      // A shredded content must not reappear under its old refs, so it is stored where it has another.
      return readBlob(this.#folder, ref).kind === 'found' ? ref : this.#append(hash, bytes);
    } catch (cause) {
      throw unavailable(cause);
    }
  }

  #append(hash: string, bytes: Uint8Array): string {
    const pack = this.#openPack();
    const header = packHeader(hash, bytes.length);
    const frame = Buffer.allocUnsafe(header.length + bytes.length + 1);
    frame.write(header, 'latin1');
    frame.set(bytes, header.length);
    frame[frame.length - 1] = 0x0a;
    // Where a frame failed the next one overwrites what was left of it.
    writeFully(this.#files, pack.fd, frame, pack.size);
    if (this.#isLeaving(pack.fd)) return this.#append(hash, bytes);
    const offset = pack.size + header.length;
    pack.size += frame.length;
    this.#unsynced.add(pack.fd);
    return formatBlobRef({kind: 'packed', pack: pack.name, offset, length: bytes.length});
  }

  /**
   * Whether the pack is being archived, which gives it a second name first. It then has another end than this process knows of, so
   * nothing more is written to it; what was written before is archived, too.
   */
  #isLeaving(fd: number): boolean {
    if (fstatSync(fd).nlink === 1) return false;
    this.#retired.add(fd);
    this.#pack = undefined;
    return true;
  }

  #openPack(): {readonly name: string; readonly fd: number; size: number} {
    if (this.#pack !== undefined && this.#pack.size < packBytesMax) return this.#pack;
    const name = `pack-${randomBytes(6).toString('hex')}`;
    const fd = openSync(join(this.#folder, name), 'wx', 0o600);
    if (this.#pack !== undefined) this.#retired.add(this.#pack.fd);
    this.#folderSynced = false;
    this.#watch.created('pack', name);
    this.#pack = {name, fd, size: 0};
    return this.#pack;
  }

  /** Under its final name the file is whole: it is written under another one and linked. False when there is one. */
  async #writeFile(hash: string, bytes: Uint8Array): Promise<boolean> {
    const temporary = join(this.#folder, `new-${randomBytes(8).toString('hex')}`);
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
      if (this.#fsync) await file.datasync();
      const isNew = await link(temporary, join(this.#folder, hash)).then(yes, unlessThere);
      if (this.#fsync) syncFolder(this.#folder);
      else this.#unsyncedNames.add(hash);
      return isNew;
    } finally {
      await file.close();
      await unlink(temporary);
    }
  }
}

/** A missing file needs no sync: its readers find out that it is missing. */
async function syncNamed(files: FileOperations, path: string): Promise<void> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  try {
    await files.datasync(file.fd);
  } finally {
    await file.close();
  }
}

function yes(): boolean {
  return true;
}

function unlessThere(error: NodeJS.ErrnoException): boolean {
  if (error.code !== 'EEXIST') throw error;
  return false;
}

function unavailable(cause: unknown): KernelError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new KernelError('LOG_UNAVAILABLE', `the evidence's blobs cannot be written: ${reason}`, {cause});
}
