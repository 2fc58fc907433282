// The mount point that bubblewrap makes if a file disappeared just before something was mounted on it: an empty, read-only file.
// Neither a person nor a call made it, and it stays until its sandbox has ended.

/** Of a regular file. */
export interface FileFacts {
  readonly size: number;
  /** At least the permissions. */
  readonly mode: number;
  readonly links: number;
}

const mountPointMode = 0o444;

export function isMountPoint({size, mode, links}: FileFacts): boolean {
  return size === 0 && links === 1 && (mode & 0o7777) === mountPointMode;
}
