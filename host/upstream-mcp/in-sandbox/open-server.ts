// Starts the MCP server beside the handler in the call's sandbox, so that the call's limits also apply to the server.
import {Client} from '@modelcontextprotocol/client';
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio';
import {isToolError, ToolError, type ToolContext} from '@lumenflow/pack-sdk';
import {definitionOf, type ToolDefinition} from '../tool-definition.ts';

/** The call's own timeout ends it earlier. */
const patienceMs = 24 * 60 * 60 * 1_000;

export interface OpenServer {
  readonly client: Client;
  /** Its current tool definitions. */
  readonly tools: readonly ToolDefinition[];
  /** What it says of their behaviour, by name. */
  readonly hints: object;
}

/**
 * Starts a server, runs a function with it and ends the server. Throws ToolError UPSTREAM_FAILED when the server cannot be
 * started, exits, or does not speak the protocol.
 */
export async function withServer<T>(
  command: readonly string[],
  {workspace_root: cwd, env, signal}: ToolContext,
  work: (server: OpenServer) => Promise<T>,
): Promise<T> {
  const [program = '', ...args] = command;
  const transport = new StdioClientTransport({
    command: program,
    args,
    cwd,
    env: {...inherited(), ...env},
    // Part of the call's log.
    stderr: 'inherit',
  });
  const client = new Client({name: 'lumenflow', version: '1'});
  try {
    await client.connect(transport, {signal, timeout: patienceMs});
    const {tools} = await client.listTools(undefined, {signal, timeout: patienceMs});
    const hints = Object.fromEntries(tools.map(({name, annotations = {}}) => [name, annotations]));
    return await work({client, tools: tools.map(definitionOf), hints});
  } catch (error) {
    if (isToolError(error) || signal.aborted) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new ToolError('UPSTREAM_FAILED', `the server \`${command.join(' ')}\` failed: ${message}`);
  } finally {
    // Kill the server: one that hangs would not end by itself.
    if (transport.pid !== null) process.kill(transport.pid, 'SIGKILL');
    await client.close();
  }
}

function inherited(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
