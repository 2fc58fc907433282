// The pack's config as validated by config.schema.json (`agent_runtime:` in workspace.yaml). The whole key is optional.
import type {AgentLimits} from '@lumenflow/pack-sdk/agent-session';

export interface ScriptedModel {
  readonly provider: 'scripted';
  readonly model: string;
  /** Workspace path of the YAML or JSON file to replay. */
  readonly script: string;
}

export interface RemoteModel {
  readonly provider: 'openai_compatible' | 'messages_compatible';
  readonly model: string;
  readonly api_key_env?: string;
  /** Exactly one of the two is set. */
  readonly base_url?: string;
  readonly base_url_env?: string;
  /** openai_compatible: default chat_completions. */
  readonly api?: 'chat_completions' | 'responses';
  /** Maximum silence of the server; default 120,000. */
  readonly timeout_ms?: number;
  /** How often to retry a failed request; default 2. */
  readonly max_retries?: number;
  /** Prices for computing `usage.cost` and enforcing `max_cost_usd`. */
  readonly price?: {readonly usd_per_million_input_tokens: number; readonly usd_per_million_output_tokens: number};
}

export type ModelProfile = ScriptedModel | RemoteModel;

export interface Intent {
  readonly description?: string;
  readonly allow_tools?: readonly string[];
  readonly approval_required_tools?: readonly string[];
}

export interface AgentRuntimeConfig {
  readonly default_model?: string;
  readonly models?: Readonly<Record<string, ModelProfile>>;
  readonly intents?: Readonly<Record<string, Intent>>;
  readonly limits?: AgentLimits;
}

export type PackConfig = AgentRuntimeConfig | undefined;
