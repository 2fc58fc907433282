// The contents on disk, as the kernel asks for them.
import {KernelError} from '@lumenflow/kernel';
import type {ContentStore} from '@lumenflow/kernel/adapters';
import {diskFailure} from '../log/disk-failure.ts';
import type {BlobStore, StoredBlob} from './blob-store.ts';

export class FileContentStore implements ContentStore {
  readonly #blobs: BlobStore;
  #isClosed = false;

  constructor(blobs: BlobStore) {
    this.#blobs = blobs;
  }

  put(text: string): Promise<StoredBlob> {
    return this.#isClosed ? Promise.reject(closed()) : this.#blobs.put(text);
  }

  async get(ref: string): Promise<string | undefined> {
    try {
      return this.#blobs.get(ref);
    } catch (error) {
      throw diskFailure(error);
    }
  }

  async shred(hash: string): Promise<readonly string[]> {
    if (this.#isClosed) throw closed();
    return await this.#blobs.shred(hash);
  }

  forget(hashes: readonly string[]): void {
    for (const hash of hashes) this.#blobs.forget(hash);
  }

  close(): void {
    this.#isClosed = true;
    this.#blobs.close();
  }
}

function closed(): KernelError {
  return new KernelError('RUNTIME_CLOSED', 'the runtime is closed');
}
