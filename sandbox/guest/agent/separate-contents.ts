// Contents of files that reach a guest separately from their entries.
import type {CopyContent} from '../../packed-files/entry-receiver.ts';
import type {PackedEntry} from '../../packed-files/packed-entry.ts';

export interface SeparateContents {
  readonly copy: CopyContent;
  /** Fills the empty folder with files that are the same as these, and returns their paths. */
  claim(entries: readonly PackedEntry[], folder: string): ReadonlySet<string>;
  /** The program may only read these, which are in their positions now. */
  noteReadOnly(entries: readonly PackedEntry[], folder: string): void;
}
