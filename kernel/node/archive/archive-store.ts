// Where archived parts of a log are kept: a folder, or a store of objects such as S3.

/** Immutable objects by their keys. Keys consist of `a-z`, `0-9`, `-`, `.` and `/`, and contain the SHA-256 of the object. */
export interface ArchiveStore {
  /** For people, without secrets. */
  readonly location: string;
  /** Stores an object durably, unless there is one with this key. Rejects with KernelError LOG_UNAVAILABLE. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Undefined if there is no such object. Rejects with KernelError LOG_UNAVAILABLE. */
  get(key: string): Promise<Buffer | undefined>;
  /** Keys that begin with a prefix, in order. Rejects with KernelError LOG_UNAVAILABLE. */
  list(prefix: string): Promise<readonly string[]>;
  /** Does nothing if there is no such object. Rejects with KernelError LOG_UNAVAILABLE. */
  delete(key: string): Promise<void>;
}
