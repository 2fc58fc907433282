// The context of a handler, the same in a pool thread and in a sandbox.
import type {CallPrincipal, GrantedScopes, LogLevel, ToolOutput} from '@lumenflow/schemas';

export interface FileStat {
  /** The type of the entry itself: links are not followed. */
  readonly kind: 'file' | 'directory' | 'symlink' | 'other';
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly mtime_ms: number;
}

export interface DirectoryEntry {
  /** The last segment of its path. */
  readonly name: string;
  /** The type of the entry. */
  readonly kind: FileStat['kind'];
}

/**
 * File access by exactly the granted patterns. The host performs it and follows no symlink out of the grant.
 * Paths are relative to the workspace root, with `/`. Throws `ToolError` SCOPE_DENIED for a path outside the grant, and
 * NOT_FOUND for a missing file.
 */
export interface ScopedFileSystem {
  /** Returns the whole file. */
  read(path: string): Promise<Uint8Array>;
  /** Returns the whole file, decoded as UTF-8. */
  readText(path: string): Promise<string>;
  /** Replaces the file atomically and creates parent directories within the grant. With `exclusive`, throws EXISTS if the file exists. */
  write(path: string, content: string | Uint8Array, options?: {readonly exclusive?: boolean}): Promise<void>;
  /** Returns the entries that the grant makes readable, and directories that lead to them, sorted by name. */
  list(path: string): Promise<readonly DirectoryEntry[]>;
  /** Returns undefined if the path does not exist. */
  stat(path: string): Promise<FileStat | undefined>;
  /** Removes a file or an empty directory. Throws NOT_EMPTY for a directory with entries. */
  remove(path: string): Promise<void>;
}

/** Identifies one state of a text. Pass `version` as `expect` to change exactly this state. */
export interface StateVersion {
  /** Opaque: compare it, keep it, pass it back. */
  readonly version: string;
  /** Bytes. */
  readonly size: number;
}

/** A document and its version. */
export interface StateText extends StateVersion {
  /** The whole document. */
  readonly text: string;
}

/** Lines of a log and its version. Pass `size` as `from` to read later lines. */
export interface StateLines extends StateVersion {
  /** Whole lines, without their line breaks. */
  readonly lines: readonly string[];
}

export interface StateExpectation {
  /** The version to change; null if the text must not exist. Throws `ToolError` CONFLICT if it has another version. */
  readonly expect?: string | null;
}

/**
 * A durable text of the pack, shared by all processes of the workspace and unreachable by scopes. A name is either a
 * document, read and written as a whole, or a log of lines. A write is complete and on disk when its promise resolves.
 * Throws `ToolError` SCOPE_DENIED if a tool with permission `read` writes.
 */
export interface PackState {
  /** Returns undefined if there is no document. */
  read(): Promise<StateText | undefined>;
  /** Replaces the whole document. */
  write(text: string, options?: StateExpectation): Promise<StateVersion>;
  /** Returns the lines after the first `from` bytes, a `size` that was returned before. Returns no lines if there is no log. */
  lines(options?: {readonly from?: number}): Promise<StateLines>;
  /** Appends whole lines. Throws INVALID_INPUT for a line with a line break. */
  append(lines: readonly string[], options?: StateExpectation): Promise<StateVersion>;
  /** Removes the text, if it exists. */
  remove(options?: StateExpectation): Promise<void>;
}

/** The log of a call: limited in size, kept with its receipt, never printed to the host's stdout. */
export type ToolLog = Readonly<Record<LogLevel, (message: string, fields?: Record<string, unknown>) => void>>;

export interface ExecResult {
  /** As UTF-8. */
  readonly stdout: string;
  /** As UTF-8. */
  readonly stderr: string;
  /** 128 plus the signal's number if a signal ended it. */
  readonly exit_code: number;
  /** Whether output beyond `max_bytes` was dropped. */
  readonly truncated: boolean;
  /** Whether `timeout_ms` ended it. */
  readonly timed_out: boolean;
}

export interface ExecOptions {
  /** Relative to the workspace root; default the root. */
  readonly cwd?: string;
  /** Added to the sandbox's environment, which contains none of the tool's required_env. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: empty. */
  readonly stdin?: string;
  /** Milliseconds. Default: the rest of the call's time limit. */
  readonly timeout_ms?: number;
  /** Bytes kept of each stream; default 1 MiB. */
  readonly max_bytes?: number;
}

export interface ToolContext<Config = unknown> {
  /** The task of the call. */
  readonly task_id: string;
  /** The claim of the task in which the call runs. */
  readonly run_id: string;
  /** The session of the caller. */
  readonly session_id: string;
  /** Identifies the call's evidence. */
  readonly receipt_id: string;
  /** The lane of the task. */
  readonly lane_id: string;
  /** The principal of the call, if the host knows it. */
  readonly principal?: CallPrincipal;
  /** Absolute path, the same inside a sandbox. */
  readonly workspace_root: string;
  /** What workspace, lane, task and tool all allow: the paths and the network of this call. */
  readonly granted_scopes: GrantedScopes;
  /** The pack's part of workspace.yaml, validated by its config_schema. */
  readonly config: Config;
  /** The variables of the tool's required_env, and no others. */
  readonly env: Readonly<Record<string, string>>;
  /** Aborts when the call is cancelled or reaches its time limit. */
  readonly signal: AbortSignal;
  /** Reports progress to the caller and records it as evidence. Any JSON value. */
  progress(payload: unknown): Promise<void>;
  /** `log.debug`, `log.info`, `log.warn` and `log.error`: a message and fields, kept with the receipt up to a bound. */
  readonly log: ToolLog;
  /** Calls another tool through the kernel, as a nested call with its own receipt. */
  callTool(name: string, input: unknown): Promise<ToolOutput>;
  /** The files in this call's grant. */
  readonly fs: ScopedFileSystem;
  /** A text of the pack, by a name such as `sessions/s-1`: lower-case segments of letters, digits, `.`, `_` and `-`. */
  state(name: string): PackState;
  /** Returns the names of the pack's texts that begin with `prefix`, sorted. */
  stateNames(prefix?: string): Promise<readonly string[]>;
  /** Runs a command inside the call's sandbox. Throws `ToolError` EXEC_NEEDS_SANDBOX on the pool. */
  exec(command: string, args: readonly string[], options?: ExecOptions): Promise<ExecResult>;
}
