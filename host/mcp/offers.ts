// How each tool is offered: most as tools, some as prompts or resources.
import type {GovernedTool} from '@lumenflow/kernel';
import type {McpOffer} from '@lumenflow/schemas';
import type {Conversation} from './conversation.ts';
import {withoutCarried} from './request-state.ts';

/** The tools that policy allows, sorted by name. */
export async function offeredAs({session}: Conversation, kind: McpOffer['kind']): Promise<readonly GovernedTool[]> {
  return (await session.tools()).filter(({tool}) => (tool.declaration.mcp?.kind ?? 'tool') === kind);
}

/** The input properties that a client fills in, without those that the protocol transfers separately. */
export function clientInput(schema: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  const properties = schema['properties'];
  if (typeof properties !== 'object' || properties === null) return schema;
  return {...schema, properties: withoutCarried({...properties})};
}
