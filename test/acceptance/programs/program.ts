export interface Program {
  readonly name: string;
  /** Of bash, with `-eu`. Whatever depends on the time or on inodes it removes at its end. */
  readonly script: string;
  /** Programs without which the case is skipped. */
  readonly needs?: readonly string[];
  /** Prepares the directory, outside of any call. */
  readonly before?: string;
}
