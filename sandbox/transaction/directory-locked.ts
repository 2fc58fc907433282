/** A call has taken from its own user the permission to list or enter a directory, so nobody can say what is in it. */
export class DirectoryLocked extends Error {
  override readonly name = 'DirectoryLocked';
  /** Relative to the workspace. */
  readonly path: string;

  constructor(path: string) {
    super(`\`${path}\` cannot be listed and entered`);
    this.path = path;
  }
}
