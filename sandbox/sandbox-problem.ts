/** A failure described for people, with a remedy. */
export interface SandboxProblem {
  readonly message: string;
  readonly help: string;
  /** Files changed between compiling the profile and the start, so a new profile may work. */
  readonly retryable?: true | undefined;
}
