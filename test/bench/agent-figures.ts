// What governing adds to a turn of a model: the same request made directly, and as `agent:execute-turn` in a sandbox that
// reaches nothing but the model's server; and how many sessions one host carries at once. A model takes its time between
// turns, so a sandbox is ready for each.
import {startAgentSession, startHost, type Host} from '@lumenflow/host';
import {mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join, relative} from 'node:path';
import {compare, type Sampler} from './compare.ts';
import {operations, type Effort} from './effort.ts';
import type {Figure} from './figure.ts';
import {oneByOne} from './samplers.ts';
import {servedBySpares} from './served-by-spares.ts';
import {opened} from '../support/opened.ts';

const reply = JSON.stringify({
  choices: [{index: 0, message: {role: 'assistant', content: 'Hello.'}, finish_reason: 'stop'}],
  usage: {prompt_tokens: 5, completion_tokens: 2},
});
const messages = [{role: 'user', content: 'Hello?'}];
const sessionsAtOnce = 50;

export async function* agentFigures(effort: Effort): AsyncGenerator<Figure> {
  const server = await startServer();
  const root = makeWorkspace(portOf(server));
  const host = await startHost({workspaceRoot: root, env: process.env});
  try {
    yield* turnFigures(effort, host, `http://127.0.0.1:${portOf(server)}/v1/chat/completions`);
    yield await atOnce(effort, host);
  } finally {
    await host.close();
    server.close();
    rmSync(root, {recursive: true});
  }
}

async function* turnFigures(effort: Effort, host: Host, url: string): AsyncGenerator<Figure> {
  const session = opened(await host.openSession({by: 'bench'}));
  const count = operations(effort, 10);
  const direct = oneByOne(
    count,
    async () => await (await fetch(url, {method: 'POST', body: JSON.stringify({messages})})).json(),
  );
  const turns = (model_profile: string): Sampler =>
    servedBySpares(count, host.sandbox, async () => {
      const output = await session.call('agent:execute-turn', {session_id: 's', model_profile, messages});
      if (!output.success) throw new Error(JSON.stringify(output.error));
    });
  const baseline = {title: 'the same request made directly', sample: direct};
  yield await compare({
    id: 'agent.turn',
    title: 'a governed turn on a model server',
    unit: 'ms',
    runs: effort.runs,
    sample: turns('served'),
    baseline,
    bar: {of: 'value', limit: 30},
  });
  yield await compare({
    id: 'agent.scripted_turn',
    title: 'a governed turn without a network',
    unit: 'ms',
    runs: effort.runs,
    sample: turns('scripted'),
    bar: {of: 'value', limit: 30},
  });
}

/** Whole sessions of one turn each. */
async function atOnce(effort: Effort, host: Host): Promise<Figure> {
  let started = 0;
  const run = async (): Promise<void> => {
    const {outcome, message} = await startAgentSession(host, {
      by: 'bench',
      task: 'Say hello',
      model_profile: 'scripted',
      session_id: `bench-${started++}`,
    });
    if (outcome !== 'complete') throw new Error(`a session ended as ${outcome}: ${message ?? ''}`);
  };
  return await compare({
    id: 'agent.sessions_at_once',
    title: `${sessionsAtOnce} sessions at once, until the last has ended`,
    unit: 'ms',
    runs: effort.long ? 3 : 1,
    sample: oneByOne(1, async () => await Promise.all(Array.from({length: sessionsAtOnce}, run))),
  });
}

async function startServer(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.setHeader('content-type', 'application/json').end(reply));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function makeWorkspace(port: number): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'lumenflow-bench-agent-')));
  const pack = relative(root, join(import.meta.dirname, '../../packs/agent-runtime'));
  const scopes = [
    {type: 'path', pattern: '**', access: 'write'},
    {type: 'network', posture: 'allowlist', allowlist_entries: [`127.0.0.1:${port}`]},
  ];
  const spec = {
    id: 'bench',
    packs: [{id: 'agent-runtime', version: '0.1.0', integrity: 'dev', source: 'local', path: pack}],
    lanes: [{id: 'core', allowed_scopes: scopes}],
    security: {allowed_scopes: scopes, network_default: 'allowlist'},
    policies: {default_decision: 'allow'},
    agent_runtime: {
      default_model: 'served',
      models: {
        served: {provider: 'openai_compatible', model: 'm', base_url: `http://127.0.0.1:${port}/v1`},
        scripted: {provider: 'scripted', model: 'm', script: 'agent.json'},
      },
    },
  };
  writeFileSync(join(root, 'workspace.yaml'), JSON.stringify(spec));
  writeFileSync(join(root, 'agent.json'), JSON.stringify({turns: [{status: 'complete', content: 'Hello.'}]}));
  return root;
}
