// The server's description of itself, its tools, prompts and resources, for `lumenflow pack install`.
import {defineTool, type ToolDefinition as Handler} from '@lumenflow/pack-sdk';
import {definitionOf} from '../tool-definition.ts';
import type {UpstreamServer} from '../upstream-server.ts';
import {withConnection} from './with-connection.ts';

export function createListing(server: UpstreamServer): Handler<unknown, object> {
  return defineTool<unknown, object>({
    run: async (_input, context) =>
      await withConnection(server, context, async (connection) => {
        const tools = await connection.tools(context.signal);
        const prompts = await connection.prompts(context.signal);
        const resources = await connection.resources(context.signal);
        const omitted = prompts.omitted + resources.omitted;
        const {name, version} = connection.client.getServerVersion() ?? {name: '', version: ''};
        return {
          server: {name, version},
          tools: tools.map(definitionOf).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
          ...(prompts.entries.length > 0 && {prompts: prompts.entries}),
          ...(resources.entries.length > 0 && {resources: resources.entries}),
          ...(omitted > 0 && {omitted}),
          hints: Object.fromEntries(tools.map(({name, annotations = {}}) => [name, annotations])),
        };
      }),
  });
}
