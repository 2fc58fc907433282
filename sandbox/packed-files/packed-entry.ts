// One entry of files that travel between a host and a sandbox that cannot mount them.
export interface PackedEntry {
  /** Absolute, as it is inside. */
  readonly path: string;
  /** `gone`: it no longer exists. */
  readonly kind: 'file' | 'directory' | 'symlink' | 'gone';
  /** Permissions. */
  readonly mode: number;
  /** Of a file: bytes of content, which follows the entry. */
  readonly size: number;
  /** Nanoseconds since the epoch, in decimal. */
  readonly mtime_ns: string;
  /** Of a file whose content does not follow: the other side has it, or gets it separately. */
  readonly sha256?: string;
  /** A symlink's text. */
  readonly link?: string;
}
