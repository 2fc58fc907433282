/** The path contains a symlink, or leads to another place than its name. */
export class SymlinkMet extends Error {
  /** The component, relative to the root of the walk. */
  readonly relative: string;

  constructor(relative: string) {
    super(`symlink at ${relative}`);
    this.relative = relative;
  }
}
