// The streams, environment and signal of a run: the real process in main.ts, others in tests.

export interface OutputStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  /** True after the reader has closed the stream. */
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
