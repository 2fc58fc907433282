// A tool's handler, with types taken from its schemas.
import type {StandardSchemaV1} from '@standard-schema/spec';
import type {SandboxProfile, ToolDeclaration, ToolOutput} from '@lumenflow/schemas';
import type {ToolContext} from './tool-context.ts';

const brand: unique symbol = Symbol.for('lumenflow.ToolDefinition');

/**
 * The tool's entry in the manifest, which `lumenflow pack manifest` generates from this. The host loads the manifest only. Schemas in
 * `input` and `output` replace `input_schema` and `output_schema`.
 */
export interface CodeDeclaration extends Omit<ToolDeclaration, 'handler_entry'> {
  /** Example inputs: tests of the pack call the tool with them. */
  readonly examples?: readonly unknown[];
}

export interface ToolHandler<Input = unknown, Output = unknown, Config = unknown> {
  readonly declaration?: CodeDeclaration;
  /** Any Standard Schema; without one the manifest's JSON Schema rules. */
  readonly input?: StandardSchemaV1<unknown, Input>;
  readonly output?: StandardSchemaV1<unknown, Output>;
  /** What this tool reads of the pack's config, which config_schema has validated before. */
  readonly config?: StandardSchemaV1<unknown, Config>;
  /** A plain value becomes `data`; a ToolOutput passes through; a thrown ToolError becomes its error. */
  run(input: Input, context: ToolContext<Config>): Promise<Output | ToolOutput> | Output | ToolOutput;
  /**
   * Gets ready for a call of which nothing is known yet: loads what is loaded late, runs once what is slow the first
   * time. Called in a sandbox that waits for its call, where nothing can be written and the network answers nothing but
   * its own loopback; never in a cold start. A sandbox that asks for more, or that is not ready in 10 s, gets no call.
   */
  prepare?(place: WaitingPlace): Promise<void> | void;
}

export interface WaitingPlace {
  /** What calls here are to have. */
  readonly network: SandboxProfile['network_posture'];
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
