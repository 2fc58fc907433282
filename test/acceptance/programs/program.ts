export interface Program {
  readonly name: string;
  /** For bash, with `-eu`. At its end it removes everything that depends on the time or on inodes. */
  readonly script: string;
  /** Programs without which the case is skipped. */
  readonly needs?: readonly string[];
  /** Prepares the directory, outside of any call. */
  readonly before?: string;
}
