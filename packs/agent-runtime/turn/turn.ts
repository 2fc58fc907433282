// One turn of a model: its input and output, as defined in manifest.yaml.
import type {Limits} from '../pack-config.ts';

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

export interface TurnInput {
  readonly session_id: string;
  /** Default: the config's `default_model`. */
  readonly model_profile?: string;
  readonly messages: readonly Message[];
  readonly tool_catalog?: readonly {
    readonly name: string;
    readonly description?: string;
    readonly input_schema?: Readonly<Record<string, unknown>>;
  }[];
  readonly intent_catalog?: readonly {readonly id: string; readonly description?: string}[];
  /** Progress carries `{type: text_delta, text}`. */
  readonly stream?: boolean;
  /** A limit applies here if it is lower than the config's. */
  readonly limits?: Limits;
}

export interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
  /** US dollars. */
  readonly cost?: number;
}

export type TurnStatus = 'reply' | 'tool_request' | 'complete' | 'escalate';
export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'refusal' | 'content_filter';

export interface TurnOutput {
  readonly status: TurnStatus;
  readonly intent?: string;
  /** Passed unchanged in the next turn's messages. */
  readonly assistant_message: AssistantMessage;
  readonly requested_tools: readonly RequestedTool[];
  readonly provider: {readonly kind: string; readonly model: string};
  readonly usage: Usage;
  readonly finish_reason: FinishReason;
}
