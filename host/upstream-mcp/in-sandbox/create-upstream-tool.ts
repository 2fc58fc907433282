// The handler of one tool of an MCP server. Before each call it compares the tool's definition with the approved one, and
// rejects the call if they differ.
import {defineTool, ToolError, type ToolDefinition as Handler} from '@lumenflow/pack-sdk';
import type {CallToolResult} from '@modelcontextprotocol/client';
import {definitionOf, differences, type ToolDefinition} from '../tool-definition.ts';
import type {UpstreamServer} from '../upstream-server.ts';
import type {InputRequired} from './upstream-call.ts';
import {withConnection} from './with-connection.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** `definition`: at installation. */
export function createUpstreamTool(server: UpstreamServer, definition: ToolDefinition): Handler<Arguments, object> {
  return defineTool<Arguments, object>({
    run: async (input, context) =>
      await withConnection(server, context, async (connection) => {
        const tools = await connection.tools(context.signal);
        checkDefinition(server, definition, tools.map(definitionOf));
        const {input_responses, request_state, ...own} = input;
        const call =
          server.isLasting && typeof request_state === 'string'
            ? connection.continue(
                definition.name,
                {id: request_state, answers: (input_responses ?? {}) as Arguments},
                context,
              )
            : connection.begin(definition.name, server.isLasting ? own : input, context);
        return succeeded(await call.next(context));
      }),
  });
}

/** The server's description of itself and its tools, for `lumenflow pack install`. */
export function createListing(server: UpstreamServer): Handler<unknown, object> {
  return defineTool<unknown, object>({
    run: async (_input, context) =>
      await withConnection(server, context, async (connection) => {
        const tools = await connection.tools(context.signal);
        const {name, version} = connection.client.getServerVersion() ?? {name: '', version: ''};
        return {
          server: {name, version},
          tools: tools.map(definitionOf).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
          hints: Object.fromEntries(tools.map(({name, annotations = {}}) => [name, annotations])),
        };
      }),
  });
}

function checkDefinition({pack}: UpstreamServer, definition: ToolDefinition, tools: readonly ToolDefinition[]): void {
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
function succeeded(result: CallToolResult | InputRequired): CallToolResult | InputRequired {
  if (!('isError' in result) || result.isError !== true) return result;
  const {content} = result;
  const text = content.flatMap((block) => (block.type === 'text' ? block.text : []));
  throw new ToolError('TOOL_EXECUTION_FAILED', text.join('\n') || 'the server says that the call failed', {content});
}
