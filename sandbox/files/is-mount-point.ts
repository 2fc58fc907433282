// What bubblewrap makes where a file went away in the moment before something was mounted on it: an empty file that nobody may
// write. It is neither a person's nor a call's, and it lies there until its sandbox has ended.

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
