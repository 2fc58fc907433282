// tools/list: what the lane offers, policy allows and the client wants.
import type {Tool} from '@modelcontextprotocol/server';
import type {Conversation} from './conversation.ts';
import {describeTool} from './describe-tool.ts';
import {offeredAs} from './offers.ts';
import {facadeTools} from './facade/facade-tools.ts';
import {hasFacade, parseToolFilter} from './tool-filter.ts';
import {mentionableTools} from './mentionable-tools.ts';
import {Unavailable} from './unavailable.ts';

/** Sorted by name. `patterns`: see parseToolFilter. Throws Unavailable if they are wrong. */
export async function listTools(conversation: Conversation, patterns: string | undefined): Promise<readonly Tool[]> {
  const filter = parseToolFilter(conversation.runtime, patterns);
  if (!filter.ok) {
    const {message, help} = filter.problem;
    throw new Unavailable({
      code: 'INVALID_ARGUMENT',
      message: `in \`--tools\`, ${message}`,
      details: {
        remedy: `ask the user to correct \`--tools\` in the configuration of this MCP server, and to restart it: ${help}`,
      },
    });
  }
  const offered = await offeredAs(conversation, 'tool');
  const names = mentionableTools(conversation);
  const facade = hasFacade(patterns) ? facadeTools : [];
  const direct = offered.filter(({tool}) => filter.value(tool)).map((governed) => describeTool(governed, names));
  // A tool whose name the facade has is called through it.
  return [...facade, ...direct.filter(({name}) => !facade.some((tool) => tool.name === name))].toSorted((left, right) =>
    left.name < right.name ? -1 : 1,
  );
}
