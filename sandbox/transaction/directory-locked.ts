/** A call has removed its own user's permission to list or enter a directory, so the directory's contents are unknown. */
export class DirectoryLocked extends Error {
  override readonly name = 'DirectoryLocked';
  /** Relative to the workspace. */
  readonly path: string;

  constructor(path: string) {
    super(`\`${path}\` cannot be listed or entered`);
    this.path = path;
  }
}
