// The cost of governance for MCP clients: ten of them call a tool that does nothing over `/mcp`, and the same on an ungoverned server of
// the official SDK. Each server has its own process; the clients share another one.
import {fork} from 'node:child_process';
import {once} from 'node:events';
import {Agent, request} from 'node:http';
import {join} from 'node:path';
import {compare, type Sampler} from './compare.ts';
import {operations, type Effort} from './effort.ts';
import type {Figure} from './figure.ts';
import type {McpEndpoint, McpServerKind} from './mcp-server.ts';

const clients = 10;
/** Calls of each client after which a server's code is fully optimised. */
const warmUp = 500;
const input = {path: 'a/b'};

interface ServerProcess {
  readonly endpoint: McpEndpoint;
  close(): Promise<void>;
}

export async function* mcpFigures(effort: Effort): AsyncGenerator<Figure> {
  const governed = await startServer('governed');
  const calls = operations(effort, 200);
  const against = async (
    kind: McpServerKind,
    named: Pick<Figure, 'id' | 'title' | 'bar' | 'goal'>,
  ): Promise<Figure> => {
    const bare = await startServer(kind);
    const baseline = {title: 'bare SDK', sample: sampler(bare.endpoint, calls)};
    const sample = sampler(governed.endpoint, calls);
    try {
      return await compare({...named, unit: 'ms', runs: effort.runs, sample, baseline});
    } finally {
      await bare.close();
    }
  };
  const title = `MCP call over HTTP, ${clients} clients at once`;
  const limit = {of: 'ratio', limit: 1.5} as const;
  try {
    yield await against('bare', {id: 'mcp.call', title, bar: limit});
    yield await against('parsed', {
      id: 'mcp.call_parsed',
      title: `${title}, to an SDK spared the parsing`,
      goal: limit,
    });
  } finally {
    await governed.close();
  }
}

async function startServer(kind: McpServerKind): Promise<ServerProcess> {
  const program = join(import.meta.dirname, 'mcp-server.ts');
  const server = fork(program, [kind], {execArgv: ['--import', 'tsx']});
  const ended = once(server, 'exit');
  const [endpoint] = (await Promise.race([once(server, 'message'), ended])) as [McpEndpoint | number | null];
  if (typeof endpoint !== 'object' || endpoint === null) throw new Error(`the ${kind} server ended with ${endpoint}`);
  await sampler(endpoint, warmUp)();
  return {
    endpoint,
    async close() {
      server.disconnect();
      await ended;
    },
  };
}

/** Each client makes its calls one after the other. Gives the time of each. */
function sampler(endpoint: McpEndpoint, calls: number): Sampler {
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

async function callOnce({url, tool, headers}: McpEndpoint, agent: Agent, id: number): Promise<void> {
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
