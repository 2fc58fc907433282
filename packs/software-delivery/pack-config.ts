// The pack's config as config.schema.json admits it (`software_delivery:` in workspace.yaml).
// The whole key may be absent.
export interface CliCommandConfig {
  /** A module that exports `main()`, relative to `root`. */
  readonly module?: string;
  /** A program that runs when it is loaded, relative to the workspace. */
  readonly script?: string;
  /** What it may do: the sandbox holds it to that, and an `admin` command waits for an approval. */
  readonly permission: 'read' | 'write' | 'admin';
  readonly description: string;
  /** JSON Schema of the list of arguments. */
  readonly args_schema?: Readonly<Record<string, unknown>>;
  /** Default 60000. */
  readonly timeout_ms?: number;
}

/** Commands of a team's own, which keep their code and come under governance. */
export interface CliConfig {
  /** Folder of the modules, relative to the workspace. */
  readonly root: string;
  readonly commands: Readonly<Record<string, CliCommandConfig>>;
}

export type GatePreset = 'node' | 'python' | 'go' | 'rust' | 'java' | 'dotnet' | 'ruby' | 'php' | 'make';

export interface GateCommand {
  readonly command: string;
  readonly timeout_ms?: number;
  /** Its failure is reported and fails nothing. */
  readonly optional?: boolean;
}

/** Runs only where one of its patterns matches a changed path. */
export interface ConditionalGate {
  /** Default `conditional-` and its place. */
  readonly name?: string;
  readonly trigger_patterns: readonly string[];
  readonly command: string;
  /** warn: its failure is reported and fails nothing. */
  readonly severity: 'error' | 'warn';
  /** What whoever made the change should know, shown when the gate runs. */
  readonly guidance?: string;
  readonly timeout_ms?: number;
}

export interface CoverageGate {
  /** Percent of lines. */
  readonly min: number;
  /** Of the file that a gate before it writes. */
  readonly report: string;
}

export interface GatesConfig {
  readonly preset?: GatePreset;
  /** Beside the preset's, or instead of the one of the same name; false leaves that one out. */
  readonly commands?: Readonly<Record<string, string | GateCommand | false>>;
  readonly conditional?: readonly ConditionalGate[];
  readonly coverage?: CoverageGate;
}

export interface CommitIdentity {
  readonly name: string;
  readonly email: string;
}

/** After what time memory forgets. */
export interface RetentionConfig {
  /** Of `ephemeral` nodes, from when they were made. */
  readonly ephemeral_hours?: number;
  /** Of `session` nodes, from when they were made. */
  readonly session_days?: number;
  /** Of `wu` nodes, from when their WU was done. */
  readonly wu_days?: number;
  /** Of signals, from when they were sent. */
  readonly signal_days?: number;
}

export interface AgentDocsConfig {
  /** Default `AGENTS.md`. */
  readonly source?: string;
  readonly targets: readonly string[];
}

export interface SoftwareDeliveryConfig {
  /** Default `docs/tasks`. */
  readonly wu_dir?: string;
  /** Default `WU`. */
  readonly wu_id_prefix?: string;
  /** Default `main`. */
  readonly main_branch?: string;
  /** Lanes whose calls may write to the person's own checkout outside of work units. */
  readonly main_checkout?: {readonly lanes: readonly string[]};
  readonly lease?: {readonly ttl_minutes: number};
  readonly brief?: {readonly required: boolean};
  readonly cli?: CliConfig;
  /** After how long orchestrate:monitor holds work to stand still. */
  readonly orchestration?: {readonly untaken_minutes?: number; readonly silent_minutes?: number};
  readonly gates?: GatesConfig;
  readonly memory?: {readonly retention?: RetentionConfig};
  readonly agent_docs?: AgentDocsConfig;
  readonly skills?: {readonly folders: readonly string[]};
  readonly git?: {readonly author?: CommitIdentity};
}

export type PackConfig = SoftwareDeliveryConfig | undefined;
