/** A failure in words for people, with what to do about it. */
export interface SandboxProblem {
  readonly message: string;
  readonly help: string;
  /** Files changed between compiling the profile and the start: a new profile may work. */
  readonly retryable?: true;
}
