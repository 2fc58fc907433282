// What a call of an MCP server that lasts costs: ten servers from npm, each called through the kernel and in the sandbox, and by the
// official SDK alone.
import {Client} from '@modelcontextprotocol/client';
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio';
import type {Host} from '@lumenflow/host';
import {npmServerObstacle, npmServerProgram, npmServers, pinNpmServer, type NpmServer} from '../support/npm-servers.ts';
import {opened} from '../support/opened.ts';
import {makeUpstream, run} from '../support/upstream-workspace.ts';
import {compare} from './compare.ts';
import {operations, type Effort} from './effort.ts';
import type {Figure} from './figure.ts';
import {oneByOne} from './samplers.ts';

export async function* upstreamFigures(effort: Effort): AsyncGenerator<Figure> {
  const servers = npmServers.filter((server) => {
    const obstacle = npmServerObstacle(server);
    if (obstacle !== undefined) effort.report(`${server.id} is skipped: ${obstacle}`);
    return obstacle === undefined;
  });
  const workspace = makeUpstream((root) => servers.map((server) => pinNpmServer(server, root)));
  try {
    const installed = await run(workspace.root, 'pack', 'install');
    if (installed.includes('"error"')) throw new Error(installed);
    for (const {id} of servers) await run(workspace.root, 'pack', 'approve', id, '--as', 'bench');
    const host = await workspace.start({env: process.env});
    for (const server of servers) yield await figureOf(server, {effort, host, root: workspace.root});
  } finally {
    await workspace.remove();
  }
}

interface Bench {
  readonly effort: Effort;
  readonly host: Host;
  readonly root: string;
}

async function figureOf(server: NpmServer, {effort, host, root}: Bench): Promise<Figure> {
  const {id, spec, tool, input} = server;
  const session = opened(await host.openSession({by: 'bench'}));
  const name = [...host.runtime.workspace.tools.keys()].find((known) => known.startsWith(`${id}:`)) ?? '';
  const governed = async (): Promise<void> => {
    const {error} = await session.call(name, input);
    if (error) throw new Error(`${name}: ${error.code}: ${error.message}`);
  };
  const client = await bareClient(server, root);
  const bare = async (): Promise<void> => {
    const {isError, content} = await client.callTool({name: tool, arguments: {...input}});
    if (isError === true) throw new Error(`${spec}: ${JSON.stringify(content)}`);
  };
  const calls = operations(effort, 50);
  try {
    return await compare({
      id: `upstream.${id}`,
      title: `${spec}: ${tool}`,
      unit: 'ms',
      runs: effort.runs,
      sample: oneByOne(calls, governed),
      baseline: {title: 'the SDK alone, without a sandbox', sample: oneByOne(calls, bare)},
      goal: {of: 'ratio', limit: 1.5},
    });
  } finally {
    await client.close();
    await session.release('measured');
  }
}

async function bareClient(server: NpmServer, cwd: string): Promise<Client> {
  const [command = '', ...args] = npmServerProgram(server).command;
  const client = new Client({name: 'bench', version: '1.0.0'});
  const env = {PATH: process.env['PATH'] ?? '', HOME: cwd};
  await client.connect(new StdioClientTransport({command, args, cwd, env, stderr: 'ignore'}));
  return client;
}
