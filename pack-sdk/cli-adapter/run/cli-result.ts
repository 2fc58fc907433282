// What a run is asked with, and what it answers: data, so in snake_case.

export interface CliResult {
  /** Status 0 and no execution_error. */
  readonly ok: boolean;
  /** The exit code as the system would give it, 0 to 255. */
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Why the command did not end by itself: not found, not loaded, an uncaught error, its timeout. */
  readonly execution_error?: string;
  /** There was more output than max_output_bytes. */
  readonly truncated?: boolean;
}

export interface CliRunOptions {
  /** Default empty: the command meets the end of its input at once. */
  readonly stdin?: string | Uint8Array | undefined;
  /** Default 60,000. A command that blocks the thread is ended by its call's own timeout, with the sandbox. */
  readonly timeout_ms?: number | undefined;
  /** Kept of each stream; default 1 MiB. */
  readonly max_output_bytes?: number | undefined;
  /** Ends the run as its timeout would. */
  readonly signal?: AbortSignal;
}
