// What governing adds for MCP clients: ten of them call a tool that does nothing over `/mcp`, and the same from a server of
// the official SDK that asks nobody. Clients and server share a process in both.
import {openTokenStore, startHost, startHttpServer} from '@lumenflow/host';
import {getRequestListener} from '@hono/node-server';
import {createMcpHandler, Server} from '@modelcontextprotocol/server';
import {Agent, createServer, request} from 'node:http';
import type {AddressInfo} from 'node:net';
import {makeBenchWorkspace} from './bench-workspace.ts';
import {compare, type Sampler} from './compare.ts';
import {operations, type Effort} from './effort.ts';
import type {Figure} from './figure.ts';

const clients = 10;
const input = {path: 'a/b'};

interface Endpoint {
  readonly url: string;
  readonly tool: string;
  readonly headers: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export async function* mcpFigures(effort: Effort): AsyncGenerator<Figure> {
  const governed = await serveGoverned();
  const bare = await serveBare();
  const calls = operations(effort, 200);
  try {
    yield await compare({
      id: 'mcp.call',
      title: `MCP call over HTTP, ${clients} clients at once`,
      unit: 'ms',
      runs: effort.runs,
      sample: sampler(governed, calls),
      baseline: {title: 'bare SDK', sample: sampler(bare, calls)},
      bar: {of: 'ratio', limit: 2.5},
      goal: {of: 'ratio', limit: 1.5},
    });
  } finally {
    await governed.close();
    await bare.close();
  }
}

async function serveGoverned(): Promise<Endpoint> {
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

async function serveBare(): Promise<Endpoint> {
  const handler = createMcpHandler(() => {
    const server = new Server({name: 'bare', version: '0.0.0'}, {capabilities: {tools: {}}});
    server.setRequestHandler('tools/call', ({params}) => ({
      content: [{type: 'text', text: JSON.stringify(params.arguments)}],
      structuredContent: params.arguments,
    }));
    return server;
  });
  const listener = getRequestListener((incoming) => handler.fetch(incoming), {overrideGlobalObjects: false});
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

/** Each client makes its calls one after the other. Gives the time of each. */
function sampler(endpoint: Endpoint, calls: number): Sampler {
  return async () => {
    const agent = new Agent({keepAlive: true, maxSockets: clients});
    const times = await Promise.all(
      Array.from({length: clients}, async () => {
        const own: number[] = [];
        for (let call = 0; call < calls; call += 1) {
          const started = performance.now();
          await callOnce(endpoint, agent, call);
          own.push(performance.now() - started);
        }
        return own;
      }),
    );
    agent.destroy();
    return times.flat();
  };
}

const version = '2026-07-28';

async function callOnce({url, tool, headers}: Endpoint, agent: Agent, id: number): Promise<void> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': {name: 'bench', version: '0.0.0'},
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = {name: tool, arguments: input, _meta: meta};
  const answer = await post(url, {
    agent,
    headers: {
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      'mcp-method': 'tools/call',
      'mcp-name': tool,
    },
    body: JSON.stringify({jsonrpc: '2.0', id, method: 'tools/call', params}),
  });
  if (!answer.includes('"structuredContent":{"path":"a/b"}')) throw new Error(`the call failed: ${answer}`);
}

interface Post {
  readonly agent: Agent;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

async function post(url: string, {agent, headers, body}: Post): Promise<string> {
  return await new Promise((resolve, reject) => {
    const sent = request(url, {method: 'POST', agent, headers}, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (chunk: string) => (text += chunk));
      incoming.on('end', () => resolve(text));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
