// The interface for every external command of the project: a test injects a function, a sandbox backend replaces it, and no call
// site changes.
import type {ResourceLimits} from '@lumenflow/schemas';

export type OutputSink =
  /** Keeps the first `maxBytes` of each stream; what comes after is read and dropped. */
  | {readonly kind: 'capture'; readonly maxBytes: number}
  /** Both streams go straight to an open file descriptor. */
  | {readonly kind: 'fd'; readonly fd: number};

export interface ExecutorRunInput {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment of the command: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly onPid?: (pid: number) => void;
  readonly outputSink: OutputSink;
  readonly limits?: ResourceLimits;
}

export interface ExecutorRunResult {
  /** Empty for a sink of kind `fd`. */
  readonly stdout: string;
  readonly stderr: string;
  /** As a shell gives it: 128 + n after signal n, 127 for a command that is not there, 126 for one that does not start. */
  readonly exitCode: number;
  readonly signal?: string;
  readonly timedOut: boolean;
  readonly aborted: boolean;
  readonly truncated: boolean;
  readonly durationMs: number;
  /** Why the command did not start. */
  readonly startError?: string;
  /** Requested limits that could not be set. */
  readonly unenforcedLimits?: readonly string[];
}

export interface CommandExecutor {
  /** Never rejects because of the command. */
  run(input: ExecutorRunInput): Promise<ExecutorRunResult>;
}
