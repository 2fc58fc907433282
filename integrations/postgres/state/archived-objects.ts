// Objects of the archive, each compared with its SHA-256. Those that were used last stay in memory; the database decides who may read them.
import {KernelError} from '@lumenflow/kernel';
import {sha256Hex, type ArchiveStore} from '@lumenflow/kernel/node';

const rememberedBytesMax = 64 * 1024 * 1024;

export interface ArchivedObject {
  /** For people. */
  readonly archive: string;
  readonly key: string;
  readonly sha256: string;
}

export class ArchivedObjects {
  readonly #store: ArchiveStore | undefined;
  /** From the one that was used longest ago. */
  readonly #remembered = new Map<string, Buffer>();
  readonly #fetching = new Map<string, Promise<Buffer>>();
  #bytes = 0;

  /** Without a store, everything that is archived is rejected. */
  constructor(store: ArchiveStore | undefined) {
    this.#store = store;
  }

  /** Rejects with KernelError: LOG_UNAVAILABLE, and LOG_CORRUPT if it is not what was stored. */
  async get(object: ArchivedObject): Promise<Buffer> {
    const known = this.#remembered.get(object.key);
    if (known !== undefined) {
      this.#remembered.delete(object.key);
      this.#remembered.set(object.key, known);
      return known;
    }
    const fetching = this.#fetching.get(object.key) ?? this.#fetch(object);
    this.#fetching.set(object.key, fetching);
    try {
      return await fetching;
    } finally {
      this.#fetching.delete(object.key);
    }
  }

  /** An object that has contents which were shredded. */
  forget(key: string): void {
    this.#bytes -= this.#remembered.get(key)?.length ?? 0;
    this.#remembered.delete(key);
  }

  /** What archives. Rejects with KernelError LOG_UNAVAILABLE. */
  needed(archive: string): ArchiveStore {
    if (this.#store !== undefined) return this.#store;
    throw new KernelError(
      'LOG_UNAVAILABLE',
      `a part of the records is in the archive ${archive}: set \`archive\` in workspace.yaml, or name it with --archive`,
    );
  }

  async #fetch({archive, key, sha256}: ArchivedObject): Promise<Buffer> {
    const store = this.needed(archive);
    const bytes = await store.get(key);
    if (bytes === undefined) {
      throw new KernelError('LOG_CORRUPT', `the archive ${store.location} does not contain \`${key}\``);
    }
    if (sha256Hex(bytes) !== sha256) {
      throw new KernelError('LOG_CORRUPT', `the archive ${store.location} contains another \`${key}\` than was stored`);
    }
    this.#remember(key, bytes);
    return bytes;
  }

  #remember(key: string, bytes: Buffer): void {
    this.#remembered.set(key, bytes);
    this.#bytes += bytes.length;
    for (const oldest of this.#remembered.keys()) {
      if (this.#bytes <= rememberedBytesMax) return;
      this.forget(oldest);
    }
  }
}
