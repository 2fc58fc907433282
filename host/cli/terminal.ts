// The streams, environment and signal a run of the program is given; the real process in main.ts, others in tests.

export interface OutputStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  /** Nobody reads it any more. */
  readonly destroyed?: boolean;
  on?(event: 'drain' | 'close', listener: () => void): unknown;
  off?(event: 'drain' | 'close', listener: () => void): unknown;
}

export interface Terminal {
  readonly stdin: AsyncIterable<string | Uint8Array>;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts on the first Ctrl-C. */
  readonly signal: AbortSignal;
}
