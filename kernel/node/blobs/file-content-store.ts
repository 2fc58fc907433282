// The contents on disk, as the kernel asks for them.
import {KernelError} from '@lumenflow/kernel';
import type {ContentStore} from '@lumenflow/kernel/adapters';
import type {ArchiveReader} from '../archive/archive-reader.ts';
import {diskFailure} from '../log/disk-failure.ts';
import type {BlobStore, StoredBlob} from './blob-store.ts';

/** Destroys every copy of contents; returns the refs to each. */
export type ShredContents = (hashes: ReadonlySet<string>) => Promise<ReadonlyMap<string, readonly string[]>>;

/** Also for contents that a rule deletes. Before each step, `dropNeeded` removes from `hashes` what newer records need. */
export type DeleteUnneeded = (
  hashes: Set<string>,
  dropNeeded: () => Promise<void>,
) => Promise<ReadonlyMap<string, readonly string[]>>;

export interface FileContentStoreParts {
  readonly blobs: BlobStore;
  readonly archive: ArchiveReader;
  /** Here and in the archive. */
  readonly shred: ShredContents;
  readonly deleteUnneeded: DeleteUnneeded;
}

export class FileContentStore implements ContentStore {
  readonly #blobs: BlobStore;
  readonly #archive: ArchiveReader;
  readonly #shred: ShredContents;
  readonly #deleteUnneeded: DeleteUnneeded;
  #isClosed = false;

  constructor({blobs, archive, shred, deleteUnneeded}: FileContentStoreParts) {
    this.#blobs = blobs;
    this.#archive = archive;
    this.#shred = shred;
    this.#deleteUnneeded = deleteUnneeded;
  }

  put(text: string): Promise<StoredBlob> {
    return this.#isClosed ? Promise.reject(closed()) : this.#blobs.put(text);
  }

  async get(ref: string): Promise<string | undefined> {
    try {
      return await this.#archive.reading(() => this.#blobs.get(ref));
    } catch (error) {
      throw diskFailure(error);
    }
  }

  async shred(hash: string): Promise<readonly string[]> {
    if (this.#isClosed) throw closed();
    return (await this.#shred(new Set([hash]))).get(hash) ?? [];
  }

  async shredUnneeded(hashes: Set<string>, dropNeeded: () => Promise<void>): Promise<number> {
    if (this.#isClosed) throw closed();
    return (await this.#deleteUnneeded(hashes, dropNeeded)).size;
  }

  forget(hashes: readonly string[]): void {
    for (const hash of hashes) this.#blobs.forget(hash);
  }

  forgetAll(): void {
    this.#blobs.forgetAll();
  }

  close(): void {
    this.#isClosed = true;
    this.#blobs.close();
  }
}

function closed(): KernelError {
  return new KernelError('RUNTIME_CLOSED', 'the runtime is closed');
}
