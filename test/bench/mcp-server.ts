// A server for `mcp-figures.ts`, in its own process: `governed`, or the official SDK alone. `bare` is as in its documentation; `parsed`
// gets each body as parsed JSON, which saves a clone of the request. It sends its endpoint when it is ready, and ends with its channel.
import {openTokenStore, startHost, startHttpServer} from '@lumenflow/host';
import {getRequestListener} from '@hono/node-server';
import {createMcpHandler, Server} from '@modelcontextprotocol/server';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {makeBenchWorkspace} from './bench-workspace.ts';

export interface McpEndpoint {
  readonly url: string;
  readonly tool: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Serving extends McpEndpoint {
  close(): Promise<void>;
}

async function serveGoverned(): Promise<Serving> {
  const workspace = await makeBenchWorkspace();
  const host = await startHost({workspaceRoot: workspace.root, env: process.env});
  const tokens = openTokenStore(workspace.root);
  const server = await startHttpServer(host, {tokens, version: '0.0.0'});
  const token = await tokens.issue({name: 'bench', role: 'agent'});
  return {
    url: `${server.url}/mcp`,
    tool: 'noop_read',
    headers: {authorization: `Bearer ${token}`},
    async close() {
      await server.close();
      await host.close();
      workspace.remove();
    },
  };
}

async function serveBare(isParsed: boolean): Promise<Serving> {
  const handler = createMcpHandler(() => {
    const server = new Server({name: 'bare', version: '0.0.0'}, {capabilities: {tools: {}}});
    server.setRequestHandler('tools/call', ({params}) => ({
      content: [{type: 'text', text: JSON.stringify(params.arguments)}],
      structuredContent: params.arguments,
    }));
    return server;
  });
  const answer = async (request: Request): Promise<Response> =>
    await handler.fetch(request, isParsed ? {parsedBody: await request.json()} : {});
  const listener = getRequestListener(answer, {overrideGlobalObjects: false});
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    tool: 'noop_read',
    headers: {},
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await handler.close();
    },
  };
}

export type McpServerKind = 'governed' | 'bare' | 'parsed';

const kind = process.argv[2] as McpServerKind;
const {close, ...endpoint} = await (kind === 'governed' ? serveGoverned() : serveBare(kind === 'parsed'));
process.once('disconnect', () => void close());
process.send?.(endpoint satisfies McpEndpoint);
