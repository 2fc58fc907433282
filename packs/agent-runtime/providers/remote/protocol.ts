// What the model-server protocols have in common, so that one client serves all of them.
import type {FinishReason, Message} from '@lumenflow/pack-sdk/agent-session';

/** A tool in the form that model servers accept. Its name contains only letters, digits, `_` and `-`. */
export interface NativeTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
  readonly model: string;
  /** Names of requested tools are native names here. */
  readonly messages: readonly Message[];
  readonly tools: readonly NativeTool[];
  readonly max_output_tokens?: number;
  readonly stream: boolean;
}

export interface ModelReply {
  readonly text: string;
  /** `arguments` from the model: JSON text, or the parsed value. */
  readonly calls: readonly {readonly id: string; readonly name: string; readonly arguments: unknown}[];
  readonly finish_reason: FinishReason;
  readonly input_tokens: number;
  readonly output_tokens: number;
}

/** Reassembles a streamed reply. */
export interface ReplyAssembly {
  /** Adds the parsed data of one event and returns the text that it adds. */
  take(data: unknown): string;
  /** The body of an unstreamed reply; undefined if the stream ended early. */
  body(): unknown;
}

export interface Protocol {
  /** Relative to the base URL. */
  readonly path: string;
  headers(key: string | undefined): Readonly<Record<string, string>>;
  bodyOf(request: ModelRequest): Readonly<Record<string, unknown>>;
  /** Throws ZodError for a body of another shape. */
  read(body: unknown): ModelReply;
  assemble(): ReplyAssembly;
}
