// The contract between the loop and the tools `agent:execute-turn` and `agent-session:*`, as their manifest defines it. The host
// depends on this contract and on no pack.

export interface RequestedTool {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: string;
  readonly requested_tools?: readonly RequestedTool[];
}

export type Message =
  | {readonly role: 'system' | 'user'; readonly content: string}
  | AssistantMessage
  | {readonly role: 'tool'; readonly tool_call_id: string; readonly content: string};

/** Data of `agent:execute-turn`. */
export interface TurnData {
  readonly status: 'reply' | 'tool_request' | 'complete' | 'escalate';
  readonly intent?: string;
  readonly assistant_message: AssistantMessage;
  readonly requested_tools: readonly RequestedTool[];
  readonly provider: {readonly kind: string; readonly model: string};
  readonly usage: {
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly total_tokens: number;
    /** US dollars. */
    readonly cost?: number;
  };
  readonly finish_reason: string;
}

export type ContinuationReason = 'created' | 'resumed' | 'approval' | 'wakeup' | 'branch_completed' | 'join_ready';

export type SessionOutcome = 'complete' | 'reply' | 'escalate' | 'limit' | 'ambiguous' | 'failed';

export interface SessionBrief {
  /** The agent's assignment. */
  readonly task: string;
  /** Precedes the task; default the pack's own instructions for agents. */
  readonly system?: string;
  /** A key of `agent_runtime.models`; default its default_model. */
  readonly model_profile?: string;
  /** The intent of all its calls; without it the model states an intent for each call. */
  readonly intent?: string;
  readonly lane_id?: string;
  /** Can only lower the configured limits. */
  readonly limits?: Readonly<Record<string, number>>;
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
  readonly said: readonly {readonly after_turns: number; readonly content: string; readonly by?: string}[];
  readonly decisions: readonly CallDecision[];
  readonly continuations: readonly {readonly at: string; readonly reason: ContinuationReason}[];
  /** The start of every turn's conversation. */
  readonly messages: readonly Message[];
  /** The intents that it can use. */
  readonly intent_catalog: readonly {readonly id: string; readonly description?: string}[];
}
