// The handler of one tool of an MCP server. Before each call it compares the tool's definition with the approved one, and
// rejects the call if they differ.
import {defineTool, ToolError, type ToolDefinition as Handler} from '@lumenflow/pack-sdk';
import type {CallToolResult} from '@modelcontextprotocol/client';
import {differences, type ToolDefinition} from '../tool-definition.ts';
import {withServer, type OpenServer} from './open-server.ts';

export interface UpstreamTool {
  readonly pack: string;
  readonly command: readonly string[];
  /** Its definition at installation. */
  readonly definition: ToolDefinition;
}

type Arguments = Readonly<Record<string, unknown>>;

export function createUpstreamTool(tool: UpstreamTool): Handler<Arguments, object> {
  return defineTool<Arguments, object>({
    run: async (input, context) =>
      await withServer(tool.command, context, async (server) => {
        checkDefinition(tool, server);
        const result = await server.client.callTool(
          {name: tool.definition.name, arguments: {...input}},
          {
            signal: context.signal,
            onprogress: (progress) => void context.progress(progress).catch(() => undefined),
            timeout: 24 * 60 * 60 * 1_000,
          },
        );
        return succeeded(result);
      }),
  });
}

/** The server's description of itself and its tools, for `lumenflow pack install`. */
export function createListing(command: readonly string[]): Handler<unknown, object> {
  return defineTool<unknown, object>({
    run: async (_input, context) =>
      await withServer(command, context, async ({client, tools, hints}) => {
        const {name, version} = client.getServerVersion() ?? {name: '', version: ''};
        return {server: {name, version}, tools: [...tools].toSorted((a, b) => (a.name < b.name ? -1 : 1)), hints};
      }),
  });
}

function checkDefinition({definition, pack}: UpstreamTool, {tools}: OpenServer): void {
  const {name} = definition;
  const now = tools.find((tool) => tool.name === name);
  const changed = now === undefined ? ['name'] : differences(definition, now);
  if (changed.length === 0) return;
  const what = now === undefined ? 'is not there any more' : `is not what was approved: other ${changed.join(', ')}`;
  throw new ToolError('UPSTREAM_CHANGED', `the server's tool \`${name}\` ${what}`, {
    changed,
    remedy: `look at it: \`lumenflow pack install ${pack} --update\`, then \`lumenflow pack approve ${pack}\``,
  });
}

/** Throws ToolError with the server's message if the server reports a failure. */
function succeeded(result: CallToolResult): CallToolResult {
  if (result.isError !== true) return result;
  const text = result.content.flatMap((block) => (block.type === 'text' ? block.text : []));
  throw new ToolError('TOOL_EXECUTION_FAILED', text.join('\n') || 'the server says that the call failed', {
    content: result.content,
  });
}
