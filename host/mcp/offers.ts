// Which tools are offered as what: most as tools, some as prompts or resources.
import type {GovernedTool} from '@lumenflow/kernel';
import type {McpOffer} from '@lumenflow/schemas';
import type {Conversation} from './conversation.ts';
import {withoutCarried} from './request-state.ts';

/** Those that policy allows, in order of name. */
export async function offeredAs({session}: Conversation, kind: McpOffer['kind']): Promise<readonly GovernedTool[]> {
  return (await session.tools()).filter(({tool}) => (tool.declaration.mcp?.kind ?? 'tool') === kind);
}

/** The properties of the input that a client fills in; what the protocol carries elsewhere is not among them. */
export function clientInput(schema: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  const properties = schema['properties'];
  if (typeof properties !== 'object' || properties === null) return schema;
  return {...schema, properties: withoutCarried({...properties})};
}
