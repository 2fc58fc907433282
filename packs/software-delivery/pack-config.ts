// The pack's config as validated by config.schema.json (`software_delivery:` in workspace.yaml). The whole key is optional.
export interface CliCommandConfig {
  /** A module that exports `main()`, relative to `root`. */
  readonly module?: string;
  /** A script that runs when it is loaded, relative to the workspace. */
  readonly script?: string;
  /** The sandbox enforces this permission. An `admin` command also needs an approval. */
  readonly permission: 'read' | 'write' | 'admin';
  readonly description: string;
  /** JSON Schema of the argument list. */
  readonly args_schema?: Readonly<Record<string, unknown>>;
  /** Default 60000. */
  readonly timeout_ms?: number;
}

/** The team's own commands, which run unmodified under LumenFlow's rules. */
export interface CliConfig {
  /** Directory of the modules, relative to the workspace. */
  readonly root: string;
  readonly commands: Readonly<Record<string, CliCommandConfig>>;
}

export type GatePreset = 'node' | 'python' | 'go' | 'rust' | 'java' | 'dotnet' | 'ruby' | 'php' | 'make';

export interface GateCommand {
  readonly command: string;
  readonly timeout_ms?: number;
  /** Its failure is reported but does not fail the run. */
  readonly optional?: boolean;
}

/** Runs only if one of its patterns matches a changed path. */
export interface ConditionalGate {
  /** Default: `conditional-` and its index. */
  readonly name?: string;
  readonly trigger_patterns: readonly string[];
  readonly command: string;
  /** warn: a failure is reported but does not fail the run. */
  readonly severity: 'error' | 'warn';
  /** Advice for the author of the change, shown when the gate runs. */
  readonly guidance?: string;
  readonly timeout_ms?: number;
}

export interface CoverageGate {
  /** Minimum percentage of lines. */
  readonly min: number;
  /** The file that an earlier gate writes. */
  readonly report: string;
}

export interface GatesConfig {
  readonly preset?: GatePreset;
  /** Added to the preset's commands, or replacing the one of the same name; false disables that gate. */
  readonly commands?: Readonly<Record<string, string | GateCommand | false>>;
  readonly conditional?: readonly ConditionalGate[];
  readonly coverage?: CoverageGate;
}

export interface CommitIdentity {
  readonly name: string;
  readonly email: string;
}

/** When memory entries expire. */
export interface RetentionConfig {
  /** For `ephemeral` nodes, since their creation. */
  readonly ephemeral_hours?: number;
  /** For `session` nodes, since their creation. */
  readonly session_days?: number;
  /** For `wu` nodes, since their WU was done. */
  readonly wu_days?: number;
  /** For signals, since they were sent. */
  readonly signal_days?: number;
}

export interface AgentDocsConfig {
  /** Default: `AGENTS.md`. */
  readonly source?: string;
  readonly targets: readonly string[];
}

/** Fields of new work units that the call does not name. */
export interface CreateDefaults {
  readonly type?: 'feature' | 'bug' | 'documentation' | 'process' | 'tooling' | 'chore' | 'refactor';
  readonly priority?: 'P0' | 'P1' | 'P2' | 'P3';
  readonly lane?: string;
  readonly template?: string;
}

/** How git reaches a remote from the sandbox. */
export interface RemoteConfig {
  /** `host:port` of pushes and fetches. None are needed for a remote within the workspace. */
  readonly hosts?: readonly string[];
  /** Variable with the token for HTTPS. */
  readonly token_env?: string;
}

/** Where requests for review are opened. */
export interface ForgeConfig {
  readonly kind: 'github' | 'gitlab';
  /** `owner/repository`, or the path of a GitLab project. */
  readonly project: string;
  /** Default: that of github.com or gitlab.com. */
  readonly api_url?: string;
  readonly token_env: string;
  readonly draft?: boolean;
}

export interface SoftwareDeliveryConfig {
  /** Default: `merge`. */
  readonly done?: 'merge' | 'pull_request';
  /** The remote of reviews; default `origin`. */
  readonly review_remote?: string;
  /** Clones share what happened to work units. `offline`: whether a claim may go on while the remote is unreachable. */
  readonly sync?: {readonly remote: string; readonly offline?: 'allow' | 'deny'};
  /** By name. */
  readonly remotes?: Readonly<Record<string, RemoteConfig>>;
  readonly forge?: ForgeConfig;
  readonly defaults?: CreateDefaults;
  /** Parts of specs by name. */
  readonly templates?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Default: `templates` in `wu_dir`. */
  readonly template_dir?: string;
  /** The tools that agents are offered. The host reads it; default `core`. */
  readonly tools?: string | readonly string[];
  /** Default: `docs/tasks`. */
  readonly wu_dir?: string;
  /** Default: `WU`. */
  readonly wu_id_prefix?: string;
  /** Default: `main`. */
  readonly main_branch?: string;
  /** Lanes whose calls may write to the person's own checkout outside of work units. */
  readonly main_checkout?: {readonly lanes: readonly string[]};
  readonly lease?: {readonly ttl_minutes: number};
  readonly brief?: {readonly required: boolean};
  readonly cli?: CliConfig;
  /** Minutes after which orchestrate:monitor reports work as stalled. */
  readonly orchestration?: {readonly untaken_minutes?: number; readonly silent_minutes?: number};
  readonly gates?: GatesConfig;
  readonly memory?: {readonly retention?: RetentionConfig};
  readonly agent_docs?: AgentDocsConfig;
  readonly skills?: {readonly folders: readonly string[]};
  readonly git?: {readonly author?: CommitIdentity};
}

export type PackConfig = SoftwareDeliveryConfig | undefined;
