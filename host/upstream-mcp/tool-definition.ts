// The parts of a server's tool that agents see. Other data of the server (hints, icons) is not passed on.
import {isDeepStrictEqual} from 'node:util';

type Schema = Readonly<Record<string, unknown>>;

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Schema;
  readonly outputSchema?: Schema;
}

export function definitionOf(tool: {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: object;
  readonly outputSchema?: object | undefined;
}): ToolDefinition {
  const {name, description = '', inputSchema, outputSchema} = tool;
  return {name, description, inputSchema: {...inputSchema}, ...(outputSchema && {outputSchema: {...outputSchema}})};
}

const parts = ['description', 'inputSchema', 'outputSchema'] as const;

/** The parts that differ; the order of keys does not matter. */
export function differences(before: ToolDefinition, now: ToolDefinition): readonly string[] {
  return parts.filter((part) => !isDeepStrictEqual(before[part], now[part]));
}
