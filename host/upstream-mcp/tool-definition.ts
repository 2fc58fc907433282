// A server's tool as far as agents are told of it. What else a server says (hints, icons) is not passed on.
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

/** The parts that are not the same; keys may stand in any order. */
export function differences(before: ToolDefinition, now: ToolDefinition): readonly string[] {
  return parts.filter((part) => !isDeepStrictEqual(before[part], now[part]));
}
