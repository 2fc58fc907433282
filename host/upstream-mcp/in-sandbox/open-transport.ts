// The way to a server: its stdin and stdout, for one that is started here, or HTTP.
import {StreamableHTTPClientTransport} from '@modelcontextprotocol/client';
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio';
import type {ToolContext} from '@lumenflow/pack-sdk';
import {fillHeaders} from '../header-variables.ts';
import type {UpstreamServer} from '../upstream-server.ts';

export interface OpenTransport {
  readonly transport: StdioClientTransport | StreamableHTTPClientTransport;
  /** Ends the server, or its session. */
  end(): Promise<void>;
}

export function openTransport(
  server: UpstreamServer,
  context: Pick<ToolContext, 'workspace_root' | 'env'>,
): OpenTransport {
  return server.url === undefined ? startServer(server, context) : openSession(server, server.url, context);
}

function startServer(
  {command: [program = '', ...args] = []}: UpstreamServer,
  {workspace_root: cwd, env}: Pick<ToolContext, 'workspace_root' | 'env'>,
): OpenTransport {
  const transport = new StdioClientTransport({
    command: program,
    args,
    cwd,
    env: {...inherited(), ...env},
    // Part of the call's log.
    stderr: 'inherit',
  });
  return {
    transport,
    // One that hangs would not end by itself.
    async end() {
      if (transport.pid !== null) process.kill(transport.pid, 'SIGKILL');
    },
  };
}

function openSession({headers = {}}: UpstreamServer, url: string, {env}: Pick<ToolContext, 'env'>): OpenTransport {
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: {headers: fillHeaders(headers, env)},
  });
  // A server that cannot be reached any more ends the session by itself.
  return {transport, end: async () => await transport.terminateSession().catch(() => undefined)};
}

function inherited(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
