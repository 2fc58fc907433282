// What the protocols of model servers have in common, so that one way of asking serves all of them.
import type {FinishReason, Message} from '../../turn/turn.ts';

/** A tool as model servers take it: its name has letters, digits, `_` and `-` only. */
export interface NativeTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
  readonly model: string;
  /** Names of requested tools are native here. */
  readonly messages: readonly Message[];
  readonly tools: readonly NativeTool[];
  readonly max_output_tokens?: number;
  readonly stream: boolean;
}

export interface ModelReply {
  readonly text: string;
  /** `arguments` as the model wrote them: JSON text, or what was parsed of it already. */
  readonly calls: readonly {readonly id: string; readonly name: string; readonly arguments: unknown}[];
  readonly finish_reason: FinishReason;
  readonly input_tokens: number;
  readonly output_tokens: number;
}

/** Puts a streamed reply together again. */
export interface ReplyAssembly {
  /** Takes the data of one event, parsed; gives the text it adds. */
  take(data: unknown): string;
  /** The body as it would have come at once; undefined when the stream ended before the reply did. */
  body(): unknown;
}

export interface Protocol {
  /** Below the base URL. */
  readonly path: string;
  headers(key: string | undefined): Readonly<Record<string, string>>;
  bodyOf(request: ModelRequest): Readonly<Record<string, unknown>>;
  /** Throws ZodError for a body of another shape. */
  read(body: unknown): ModelReply;
  assemble(): ReplyAssembly;
}
