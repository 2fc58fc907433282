// The contract between the agent loop and the tools that serve it, `agent:execute-turn` and `agent-session:*`. Written by hand: the
// manifest of the pack that declares these tools has their schemas.

/** A call that a model requests. */
export interface RequestedTool {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface SystemMessage {
  readonly role: 'system' | 'user';
  readonly content: string;
}

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: string;
  readonly requested_tools?: readonly RequestedTool[];
}

export interface ToolMessage {
  readonly role: 'tool';
  /** The `id` of the requested tool that this answers. */
  readonly tool_call_id: string;
  readonly content: string;
}

export type Message = SystemMessage | AssistantMessage | ToolMessage;

export interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
  /** US dollars. */
  readonly cost?: number;
}

export type TurnStatus = 'reply' | 'tool_request' | 'complete' | 'escalate';
export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'refusal' | 'content_filter';

/** Data of `agent:execute-turn`. */
export interface TurnData {
  readonly status: TurnStatus;
  readonly intent?: string;
  /** Passed unchanged in the next turn's messages. */
  readonly assistant_message: AssistantMessage;
  readonly requested_tools: readonly RequestedTool[];
  readonly provider: {readonly kind: string; readonly model: string};
  readonly usage: Usage;
  readonly finish_reason: FinishReason;
}

/** Why a session started or continued. */
export type ContinuationReason = 'created' | 'resumed' | 'approval' | 'wakeup' | 'branch_completed' | 'join_ready';

/** How a session ended. `reply`, `escalate`, `ambiguous` and `failed` can be resumed. */
export type SessionOutcome = 'complete' | 'reply' | 'escalate' | 'limit' | 'ambiguous' | 'failed';

export interface AgentLimits {
  readonly max_turns_per_session?: number;
  readonly max_tool_calls_per_session?: number;
  readonly max_input_bytes?: number;
  readonly max_output_tokens?: number;
  readonly max_cost_usd?: number;
}

export interface SessionBrief {
  /** The agent's assignment. */
  readonly task: string;
  /** Precedes the task; default the pack's own instructions for agents. */
  readonly system?: string;
  /** A key of `agent_runtime.models`; default its default_model. */
  readonly model_profile?: string;
  /** The intent of all its calls; without it, the model states an intent for each call. */
  readonly intent?: string;
  /** Lane of its task. */
  readonly lane_id?: string;
  /** Can only lower the configured limits. */
  readonly limits?: AgentLimits;
  /** The workflow whose node it is. */
  readonly workflow_id?: string;
}

/** A person's answer about a call whose outcome was not recorded. */
export interface CallDecision {
  readonly turn_index: number;
  readonly tool_call_id: string;
  readonly happened: boolean;
}

/** Data of `agent-session:start`, `resume`, `status`, `settle` and `cancel`. */
export interface SessionView {
  readonly session_id: string;
  /** `ready`: the loop can continue. `waiting`: for approvals. */
  readonly status: 'ready' | 'waiting' | 'ended' | 'cancelled';
  readonly brief: SessionBrief;
  readonly turns: number;
  readonly outcome?: SessionOutcome;
  readonly message?: string;
  readonly approvals?: readonly string[];
  /** Later messages from people, each with the number of turns before it. */
  readonly said: readonly {readonly after_turns: number; readonly content: string; readonly by?: string}[];
  readonly decisions: readonly CallDecision[];
  readonly continuations: readonly {readonly at: string; readonly reason: ContinuationReason}[];
  /** The start of every turn's conversation. */
  readonly messages: readonly SystemMessage[];
  /** The intents that it can use. */
  readonly intent_catalog: readonly {readonly id: string; readonly description?: string}[];
}
