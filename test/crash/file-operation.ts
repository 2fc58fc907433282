// Operations on files, one at a time, and their listeners.
/** `handle` identifies an open file: a number that is never reused. */
export type FileOperation =
  | {
      readonly kind: 'open';
      readonly path: string;
      readonly handle: number;
      readonly creates: boolean;
      readonly empties: boolean;
    }
  | {readonly kind: 'write'; readonly handle: number; readonly offset: number; readonly bytes: Buffer}
  | {readonly kind: 'truncate'; readonly handle: number; readonly length: number}
  | {readonly kind: 'sync'; readonly handle: number}
  | {readonly kind: 'mkdir' | 'unlink'; readonly path: string}
  | {readonly kind: 'link' | 'rename'; readonly from: string; readonly path: string}
  | {readonly kind: 'symlink'; readonly target: string; readonly path: string}
  | {readonly kind: 'read'; readonly path?: string; readonly handle?: number};

export interface Watcher {
  /** Absolute; what is done elsewhere is not watched. */
  readonly root: string;
  /** Called before the operation. Throws to make it fail; a number limits the bytes that are written. */
  before(operation: FileOperation): number | undefined;
  /** Once it is done, with what `before` was given; a sync with the bytes that were written before it began. */
  after(operation: FileOperation): void;
}

export interface FileSystemTap {
  /** One at a time. Gives the function that ends it. */
  watch(watcher: Watcher): () => void;
}
