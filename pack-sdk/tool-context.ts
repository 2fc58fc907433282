// What a tool's handler is handed: the same in a pool thread and in a sandbox.
import type {CallPrincipal, GrantedScopes, LogLevel, ToolOutput} from '@lumenflow/schemas';

export interface FileStat {
  /** What stands there. */
  readonly kind: 'file' | 'directory' | 'symlink' | 'other';
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly mtime_ms: number;
}

export interface DirectoryEntry {
  /** Its last segment, without the folder. */
  readonly name: string;
  /** What stands there. */
  readonly kind: FileStat['kind'];
}

/**
 * File access exact to the granted patterns, brokered by the host, safe against symlinks.
 * Paths are relative to the workspace root, with `/`. A path outside the grant throws ToolError SCOPE_DENIED;
 * a missing file throws ToolError NOT_FOUND.
 */
export interface ScopedFileSystem {
  /** The whole file. */
  read(path: string): Promise<Uint8Array>;
  /** The whole file as UTF-8. */
  readText(path: string): Promise<string>;
  /** Replaces the file atomically; parent directories within the grant are made. `exclusive` fails with EXISTS when it is there. */
  write(path: string, content: string | Uint8Array, options?: {readonly exclusive?: boolean}): Promise<void>;
  /** Entries that the grant lets be read or that lead to such, sorted by name. */
  list(path: string): Promise<readonly DirectoryEntry[]>;
  /** Undefined when there is nothing. */
  stat(path: string): Promise<FileStat | undefined>;
  /** A file or an empty folder; a folder with something in it is NOT_EMPTY. */
  remove(path: string): Promise<void>;
}

/** Tells one state of a text from every other: hand it back as `expect` to build on exactly this one. */
export interface StateVersion {
  /** Opaque: compare it, keep it, hand it back. */
  readonly version: string;
  /** Bytes. */
  readonly size: number;
}

/** A document, as it was read. */
export interface StateText extends StateVersion {
  /** All of it. */
  readonly text: string;
}

/** Lines of a log, as they were read. `size` is where to read on from. */
export interface StateLines extends StateVersion {
  /** Whole lines, without their line breaks. */
  readonly lines: readonly string[];
}

export interface StateExpectation {
  /** The version this builds on, null for none at all: when there is another by now, ToolError CONFLICT is thrown. */
  readonly expect?: string | null;
}

/**
 * One of the pack's own durable texts: kept by the host, of all the workspace's processes, out of reach of every tool's
 * scopes. A name is either a document, read and written as a whole, or a log of lines. What is written is on disk when
 * the promise resolves, all of it or none. A tool with permission `read` changes nothing: ToolError SCOPE_DENIED.
 */
export interface PackState {
  /** Undefined when there is none. */
  read(): Promise<StateText | undefined>;
  /** Replaces the whole document. */
  write(text: string, options?: StateExpectation): Promise<StateVersion>;
  /** The lines after the first `from` bytes, which are a size that was given before; none when there is no log. */
  lines(options?: {readonly from?: number}): Promise<StateLines>;
  /** Adds whole lines at the end; a line with a line break in it is INVALID_INPUT. */
  append(lines: readonly string[], options?: StateExpectation): Promise<StateVersion>;
  /** Nothing to remove is no error. */
  remove(options?: StateExpectation): Promise<void>;
}

/** Logs of a call: bounded, kept with its receipt, never the host's stdout. */
export type ToolLog = Readonly<Record<LogLevel, (message: string, fields?: Record<string, unknown>) => void>>;

export interface ExecResult {
  /** As UTF-8. */
  readonly stdout: string;
  /** As UTF-8. */
  readonly stderr: string;
  /** 128 and the signal's number when a signal ended it. */
  readonly exit_code: number;
  /** Whether more was printed than is kept. */
  readonly truncated: boolean;
  /** Whether `timeout_ms` ended it. */
  readonly timed_out: boolean;
}

export interface ExecOptions {
  /** Relative to the workspace root; default the root. */
  readonly cwd?: string;
  /** Added to the sandbox's own, which holds none of the tool's required_env. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default none: the command reads an end of file. */
  readonly stdin?: string;
  /** Default: as long as the call may take. */
  readonly timeout_ms?: number;
  /** Bytes kept of each stream; default 1 MiB. */
  readonly max_bytes?: number;
}

export interface ToolContext<Config = unknown> {
  /** The task that the call belongs to. */
  readonly task_id: string;
  /** The claim of the task that the call belongs to. */
  readonly run_id: string;
  /** The conversation that the call came from. */
  readonly session_id: string;
  /** Names the call's evidence. */
  readonly receipt_id: string;
  /** The lane of the task. */
  readonly lane_id: string;
  /** Who makes the call, as far as the host tells. */
  readonly principal?: CallPrincipal;
  /** Absolute; inside a sandbox it is the same path. */
  readonly workspace_root: string;
  /** What workspace, lane, task and tool all allow: the paths and the network of this call. */
  readonly granted_scopes: GrantedScopes;
  /** The pack's part of workspace.yaml, as its config_schema let it pass. */
  readonly config: Config;
  /** Only the tool's required_env. */
  readonly env: Readonly<Record<string, string>>;
  /** Aborts on cancel and timeout. */
  readonly signal: AbortSignal;
  /** Tells the caller how far it is, and is kept as evidence; any JSON. */
  progress(payload: unknown): Promise<void>;
  /** `log.debug`, `log.info`, `log.warn` and `log.error`: a message and fields, kept with the receipt up to a bound. */
  readonly log: ToolLog;
  /** A child call through the kernel, with a receipt of its own. */
  callTool(name: string, input: unknown): Promise<ToolOutput>;
  /** The files that this call was granted. */
  readonly fs: ScopedFileSystem;
  /** A text of the pack's own, by a name such as `sessions/s-1`: lower-case segments of letters, digits, `.`, `_` and `-`. */
  state(name: string): PackState;
  /** The names of all such texts that begin with `prefix`, sorted. */
  stateNames(prefix?: string): Promise<readonly string[]>;
  /** Runs a command inside the call's own sandbox. On the pool it throws ToolError EXEC_NEEDS_SANDBOX. */
  exec(command: string, args: readonly string[], options?: ExecOptions): Promise<ExecResult>;
}
