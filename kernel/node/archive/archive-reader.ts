// Reads through to the archive: what needs an archived file is repeated once the file is restored beside the state.
import {isKernelError, KernelError} from '@lumenflow/kernel';
import type {MaybePromise} from '@lumenflow/kernel/adapters';
import {randomBytes} from 'node:crypto';
import {mkdir, readdir, rename, rm, stat, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {sha256Hex} from '../system/sha256.ts';
import {readArchived, restoredPath} from './archived-file.ts';
import {removeRestoredCopies} from './restored-copies.ts';
import type {ArchiveStore} from './archive-store.ts';
import {NeedsArchive} from './open-stored.ts';

/** Restored copies of a folder that are kept for later readings. */
const restoredBytesMax = 256 * 1024 * 1024;
const restoreHelp = 'restore it from a backup of the archive';
/** A younger copy may be in use by another process. */
const restoredMs = 60_000;

export class ArchiveReader {
  readonly #store: ArchiveStore | undefined;
  /** Copies that readings under way need, and how many of them. */
  readonly #needed = new Map<string, number>();

  /** Of the state, for copies that were damaged on disk. */
  readonly #stateFolder: string | undefined;

  /** Without a store, readings of archived parts are rejected. `stateFolder`: `.lumenflow/kernel` or a copy of it. */
  constructor(store?: ArchiveStore, stateFolder?: string) {
    this.#store = store;
    this.#stateFolder = stateFolder;
  }

  /** Removes all copies, so that every object is fetched and compared again. Those in a folder that cannot be written stay. */
  async refresh(): Promise<void> {
    if (this.#store === undefined || this.#stateFolder === undefined) return;
    await removeRestoredCopies(this.#stateFolder, 'all');
  }

  /** Repeats `work` until everything that it needs is restored. Rejects with KernelError LOG_UNAVAILABLE, LOG_CORRUPT. */
  async reading<T>(work: () => MaybePromise<T>): Promise<T> {
    const fetched: string[] = [];
    let isHealed = false;
    try {
      for (;;) {
        try {
          return await work();
        } catch (error) {
          const mayHeal: boolean = !isHealed && isKernelError(error) && error.code === 'LOG_CORRUPT';
          isHealed ||= mayHeal;
          if (mayHeal && (await this.heal())) continue;
          if (!(error instanceof NeedsArchive) || this.#store === undefined) throw error;
          const path = restoredPath(error.folder, error.file);
          fetched.push(path);
          this.#needed.set(path, (this.#needed.get(path) ?? 0) + 1);
          await this.#restore(this.#store, error, path);
        }
      }
    } finally {
      for (const path of fetched) this.#needed.set(path, (this.#needed.get(path) ?? 1) - 1);
    }
  }

  /** Whether a copy was damaged, which is then fetched again: the log may be intact. */
  async heal(): Promise<boolean> {
    if (this.#store === undefined || this.#stateFolder === undefined) return false;
    return (await removeRestoredCopies(this.#stateFolder, 'damaged')) > 0;
  }

  async #restore(store: ArchiveStore, {folder, file}: NeedsArchive, path: string): Promise<void> {
    const {key = '', sha256} = file;
    const bytes = await store.get(key);
    // It may have been replaced by one without what was redacted.
    if (readArchived(folder, file.name)?.sha256 !== sha256) return;
    if (bytes === undefined) {
      throw new KernelError('LOG_CORRUPT', `the archive ${store.location} does not contain \`${key}\`: ${restoreHelp}`);
    }
    if (sha256Hex(bytes) !== sha256) {
      throw new KernelError(
        'LOG_CORRUPT',
        `the archive ${store.location} contains another \`${key}\` than was stored: ${restoreHelp}`,
      );
    }
    try {
      await mkdir(dirname(path), {recursive: true, mode: 0o700});
      await this.#makeRoom(dirname(path), bytes.length);
      const temporary = `${path}.${randomBytes(6).toString('hex')}`;
      await writeFile(temporary, bytes, {mode: 0o600});
      await rename(temporary, path);
      if (readArchived(folder, file.name)?.sha256 !== sha256) await rm(path, {force: true});
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new KernelError('LOG_UNAVAILABLE', `\`${path}\` cannot be restored from the archive: ${reason}`, {cause});
    }
  }

  async #makeRoom(folder: string, bytes: number): Promise<void> {
    const names = await readdir(folder);
    const copies = await Promise.all(
      names.map(async (name) => {
        const path = join(folder, name);
        const found = await stat(path).catch(() => undefined);
        return {path, bytes: found?.size ?? 0, at: found?.mtimeMs ?? 0};
      }),
    );
    let total = copies.reduce((sum, copy) => sum + copy.bytes, bytes);
    for (const copy of copies.toSorted((a, b) => a.at - b.at)) {
      if (total <= restoredBytesMax) return;
      if ((this.#needed.get(copy.path) ?? 0) > 0 || Date.now() - copy.at < restoredMs) continue;
      await rm(copy.path, {force: true});
      total -= copy.bytes;
    }
  }
}
