/** A failure described for people, with a remedy. */
export interface SandboxProblem {
  readonly message: string;
  readonly help: string;
  /**
   * Whether a new attempt may work; nothing of the call has run. `true`: files changed between compiling the profile and the start.
   * `once`: the start failed, and a second failure would mean that it always fails.
   */
  readonly retryable?: true | 'once' | undefined;
}
