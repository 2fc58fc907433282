/** The workspace has changed since the changes were checked. */
export class ChangedConcurrently extends Error {
  readonly path: string;

  constructor(path: string) {
    super(`\`${path}\` was changed`);
    this.path = path;
  }
}
