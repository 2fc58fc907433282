// The input of one turn of a model, as defined in manifest.yaml.
import type {AgentLimits, Message} from '@lumenflow/pack-sdk/agent-session';

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
  readonly limits?: AgentLimits;
}
