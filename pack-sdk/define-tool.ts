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
  /** Any Standard Schema. Without it, the manifest's JSON Schema applies. */
  readonly input?: StandardSchemaV1<unknown, Input>;
  readonly output?: StandardSchemaV1<unknown, Output>;
  /** The part of the pack's config that this tool reads. config_schema has already validated the config. */
  readonly config?: StandardSchemaV1<unknown, Config>;
  /** A plain value becomes `data`; a ToolOutput passes through; a thrown ToolError becomes its error. */
  run(input: Input, context: ToolContext<Config>): Promise<Output | ToolOutput> | Output | ToolOutput;
  /**
   * Prepares for a call that is not known yet: loads lazy modules, and runs code that is slow the first time. LumenFlow calls it in
   * a sandbox that waits for its call, where nothing can be written and only the loopback network exists. A cold start does not call
   * it. A sandbox that tries to connect, or that is not ready within 10 s, is killed.
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
