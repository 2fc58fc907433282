// The pack's config as config.schema.json admits it (`software_delivery:` in workspace.yaml).
// The whole key may be absent.
import type {GatesConfig} from './gates/gate-config.ts';

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
