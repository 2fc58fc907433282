/** Why a call is killed immediately: a file that its sandbox hides or seals was replaced outside. */
export class SealBroken extends Error {
  /** Absolute. */
  readonly path: string;

  constructor(path: string) {
    super(`\`${path}\` was replaced while the call ran`);
    this.path = path;
  }
}
