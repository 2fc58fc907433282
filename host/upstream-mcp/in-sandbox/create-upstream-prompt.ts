// The handler of one prompt of an MCP server. It returns messages only of the approved prompt.
import {defineTool, type ToolDefinition as Handler} from '@lumenflow/pack-sdk';
import {isDeepStrictEqual} from 'node:util';
import type {PromptDefinition} from '../prompt-definition.ts';
import type {UpstreamServer} from '../upstream-server.ts';
import {patienceMs} from './patience-ms.ts';
import {upstreamChanged} from './upstream-changed.ts';
import {withConnection} from './with-connection.ts';

const parts = ['description', 'arguments'] as const;

export function createUpstreamPrompt(
  server: UpstreamServer,
  approved: PromptDefinition,
): Handler<Readonly<Record<string, string>>, object> {
  return defineTool<Readonly<Record<string, string>>, object>({
    run: async (input, context) =>
      await withConnection(server, context, async (connection) => {
        const {signal} = context;
        const {entries} = await connection.prompts(signal);
        const now = entries.find(({name}) => name === approved.name);
        const changed = now && parts.filter((part) => !isDeepStrictEqual(approved[part], now[part]));
        if (changed?.length !== 0) throw upstreamChanged(server, `prompt \`${approved.name}\``, changed);
        return await connection.client.getPrompt(
          {name: approved.name, arguments: {...input}},
          {signal, timeout: patienceMs},
        );
      }),
  });
}
