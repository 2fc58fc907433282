// What is done to files, one operation at a time, and how to hear of it.
/** `handle` names an open file: a number that is not given twice. */
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
  /** Before it is done. Throws to let it fail; a number lets only as many bytes be written. */
  before(operation: FileOperation): number | undefined;
  /** Once it is done, with what `before` was given; a sync with the bytes that were written before it began. */
  after(operation: FileOperation): void;
}

export interface FileSystemTap {
  /** One at a time. Gives the function that ends it. */
  watch(watcher: Watcher): () => void;
}
