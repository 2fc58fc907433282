// The pack's config as validated by config.schema.json (`agent_runtime:` in workspace.yaml). The whole key is optional.
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

export interface Limits {
  readonly max_turns_per_session?: number;
  readonly max_tool_calls_per_session?: number;
  readonly max_input_bytes?: number;
  readonly max_output_tokens?: number;
  readonly max_cost_usd?: number;
}

export interface AgentRuntimeConfig {
  readonly default_model?: string;
  readonly models?: Readonly<Record<string, ModelProfile>>;
  readonly intents?: Readonly<Record<string, Intent>>;
  readonly limits?: Limits;
}

export type PackConfig = AgentRuntimeConfig | undefined;
