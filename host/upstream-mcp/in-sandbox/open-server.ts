// Runs in a call's sandbox: starts the MCP server beside the handler, so that whatever holds the call holds the server.
import {Client} from '@modelcontextprotocol/client';
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio';
import {isToolError, ToolError, type ToolContext} from '@lumenflow/pack-sdk';
import {definitionOf, type ToolDefinition} from '../tool-definition.ts';

/** The call's own timeout ends it before. */
const patienceMs = 24 * 60 * 60 * 1_000;

export interface OpenServer {
  readonly client: Client;
  /** What it says of its tools now. */
  readonly tools: readonly ToolDefinition[];
}

/**
 * Does its work with a server that is started for it and ended after it. Throws ToolError UPSTREAM_FAILED when the server
 * cannot be started, ends, or does not speak the protocol.
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
    // Becomes part of the call's log.
    stderr: 'inherit',
  });
  const client = new Client({name: 'lumenflow', version: '1'});
  try {
    await client.connect(transport, {signal, timeout: patienceMs});
    const {tools} = await client.listTools(undefined, {signal, timeout: patienceMs});
    return await work({client, tools: tools.map(definitionOf)});
  } catch (error) {
    if (isToolError(error) || signal.aborted) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new ToolError('UPSTREAM_FAILED', `the server \`${command.join(' ')}\` failed: ${message}`);
  } finally {
    // It is asked nothing more; a server that hangs would not end by itself.
    if (transport.pid !== null) process.kill(transport.pid, 'SIGKILL');
    await client.close();
  }
}

function inherited(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
