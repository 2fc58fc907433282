// The handler of one tool of an MCP server. Before each call it compares the tool's definition with the approved one, and
// rejects the call if they differ.
import {defineTool, ToolError, type ToolDefinition as Handler} from '@lumenflow/pack-sdk';
import type {CallToolResult} from '@modelcontextprotocol/client';
import {definitionOf, differences, type ToolDefinition} from '../tool-definition.ts';
import type {UpstreamServer} from '../upstream-server.ts';
import type {InputRequired} from './upstream-call.ts';
import {upstreamChanged} from './upstream-changed.ts';
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

function checkDefinition(server: UpstreamServer, definition: ToolDefinition, tools: readonly ToolDefinition[]): void {
  const {name} = definition;
  const now = tools.find((tool) => tool.name === name);
  const changed = now && differences(definition, now);
  if (changed?.length !== 0) throw upstreamChanged(server, `tool \`${name}\``, changed);
}

/** Throws ToolError with the server's message if the server reports a failure. */
function succeeded(result: CallToolResult | InputRequired): CallToolResult | InputRequired {
  if (!('isError' in result) || result.isError !== true) return result;
  const {content} = result;
  const text = content.flatMap((block) => (block.type === 'text' ? block.text : []));
  throw new ToolError('TOOL_EXECUTION_FAILED', text.join('\n') || 'the server says that the call failed', {content});
}
