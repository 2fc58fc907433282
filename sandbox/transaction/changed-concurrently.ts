/** The workspace is not as it was when the changes were checked. */
export class ChangedConcurrently extends Error {
  readonly path: string;

  constructor(path: string) {
    super(`\`${path}\` was changed`);
    this.path = path;
  }
}
