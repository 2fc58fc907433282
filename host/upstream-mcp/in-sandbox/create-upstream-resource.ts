// The handler that reads the resources of an MCP server: the approved ones, and what an approved template leads to.
import {defineTool, ToolError, type ToolDefinition as Handler} from '@lumenflow/pack-sdk';
import {UriTemplate} from '@modelcontextprotocol/client';
import {isDeepStrictEqual} from 'node:util';
import {isTemplate, type ResourceDefinition} from '../resource-definition.ts';
import {resourcePrefix} from '../resource-prefix.ts';
import type {UpstreamServer} from '../upstream-server.ts';
import {patienceMs} from './patience-ms.ts';
import {upstreamChanged} from './upstream-changed.ts';
import {withConnection} from './with-connection.ts';

interface Input {
  /** The server's own. */
  readonly uri: string;
}

const parts = ['name', 'description', 'mime_type'] as const;

export function createUpstreamResource(
  server: UpstreamServer,
  approved: readonly ResourceDefinition[],
): Handler<Input, object> {
  return defineTool<Input, object>({
    run: async ({uri}, context) => {
      const definition = approvedFor(uri, server, approved);
      return await withConnection(server, context, async (connection) => {
        const {signal} = context;
        const {entries} = await connection.resources(signal);
        const now = entries.find((entry) => entry.uri === definition.uri);
        const changed = now && parts.filter((part) => !isDeepStrictEqual(definition[part], now[part]));
        if (changed?.length !== 0) throw upstreamChanged(server, `resource \`${definition.uri}\``, changed);
        const {contents} = await connection.client.readResource({uri}, {signal, timeout: patienceMs});
        // Clients know it by this address.
        return {contents: contents.map((part) => ({...part, uri: `${resourcePrefix(server.pack)}${part.uri}`}))};
      });
    },
  });
}

/** A resource that is listed itself counts before templates. Throws ToolError. */
function approvedFor(uri: string, {pack}: UpstreamServer, approved: readonly ResourceDefinition[]): ResourceDefinition {
  const found =
    approved.find((resource) => resource.uri === uri && !isTemplate(resource)) ??
    approved.find((resource) => isTemplate(resource) && new UriTemplate(resource.uri).match(uri) !== null);
  if (found !== undefined) return found;
  throw new ToolError('INVALID_INPUT', `the pack \`${pack}\` has no approved resource \`${uri}\``, {
    remedy: `list its resources again: \`lumenflow pack install ${pack} --update\`, then \`lumenflow pack approve ${pack}\``,
  });
}
