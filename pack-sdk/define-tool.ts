// A tool's handler, with types taken from its schemas.
import type {StandardSchemaV1} from '@standard-schema/spec';
import type {ToolOutput} from '@lumenflow/schemas';
import type {ToolContext} from './tool-context.ts';

const brand: unique symbol = Symbol.for('lumenflow.ToolDefinition');

export interface ToolHandler<Input = unknown, Output = unknown, Config = unknown> {
  /** Any Standard Schema; without one the manifest's JSON Schema rules. */
  readonly input?: StandardSchemaV1<unknown, Input>;
  readonly output?: StandardSchemaV1<unknown, Output>;
  /** What this tool reads of the pack's config, which config_schema has validated before. */
  readonly config?: StandardSchemaV1<unknown, Config>;
  /** A plain value becomes `data`; a ToolOutput passes through; a thrown ToolError becomes its error. */
  run(input: Input, context: ToolContext<Config>): Promise<Output | ToolOutput> | Output | ToolOutput;
}

export interface ToolDefinition<Input = unknown, Output = unknown, Config = unknown> extends ToolHandler<
  Input,
  Output,
  Config
> {
  readonly [brand]: true;
}

export function defineTool<Input = unknown, Output = unknown, Config = unknown>(
  handler: ToolHandler<Input, Output, Config>,
): ToolDefinition<Input, Output, Config> {
  return {...handler, [brand]: true};
}

/** Works across realms and duplicated packages. */
export function isToolDefinition(value: unknown): value is ToolDefinition {
  return typeof value === 'object' && value !== null && brand in value;
}
