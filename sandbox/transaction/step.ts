/** One change of one path. What it replaces is kept as `old/<number>`, what it brings is staged as `new/<number>`. */
export interface Step {
  readonly number: number;
  /** Relative to the workspace root. */
  readonly path: string;
  /** What is there before, as `inode:birth`. */
  readonly had?: string;
  /** What is there afterwards. */
  readonly gets?: string;
  /** For a file that exists after the step: what it must still be before it can be removed again. */
  readonly content?: StepContent;
  /** Permissions before and after, when nothing else changes. */
  readonly modes?: readonly [before: number, after: number];
}

export interface StepContent {
  readonly bytes: number;
  /** Nanoseconds since the epoch, decimal. */
  readonly mtime: string;
  readonly sha256: string;
}
