// The pack's config as config.schema.json admits it (`software_delivery:` in workspace.yaml).
// The whole key may be absent.
import type {CliConfig} from './cli/cli-config.ts';
import type {GatesConfig} from './gates/gate-config.ts';

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
