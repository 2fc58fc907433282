// Turns on model servers from inside the sandbox, against an independent emulator of their protocols. Each turn reaches only its own
// model's address, and has only its own model's key.
import {LLMock} from '@copilotkit/aimock';
import {startAgentSession, type AgentEvent, type Host, type Session} from '@lumenflow/host';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

const dialects = {
  chat: {provider: 'openai_compatible'},
  responses: {provider: 'openai_compatible', api: 'responses'},
  messages: {provider: 'messages_compatible'},
} as const;
const names = Object.keys(dialects);

let servers: readonly LLMock[];
let workspace: HostWorkspace;
let host: Host;
let session: Session;

beforeAll(async () => {
  servers = await Promise.all(names.map(async () => await startServer()));
  const ports = servers.map(({port}) => port);
  const models = Object.fromEntries(
    Object.values(dialects).map((dialect, index) => [
      names[index],
      {
        ...dialect,
        model: 'm',
        api_key_env: `KEY_${index}`,
        // As in the documented config, one address is in a variable.
        ...(index === 1 ? {base_url_env: 'SECOND_URL'} : {base_url: `http://127.0.0.1:${ports[index]}/v1`}),
      },
    ]),
  );
  const network = {
    type: 'network',
    posture: 'allowlist',
    allowlist_entries: ports.map((port) => `127.0.0.1:${port}`),
  } as const;
  const scopes = [{type: 'path', pattern: '**', access: 'write'} as const, network];
  workspace = makeHostWorkspace({
    firstParty: ['agent-runtime'],
    copied: {
      notes: join(import.meta.dirname, '../../support/notes-pack'),
      probe: join(import.meta.dirname, '../../../examples/probe-pack'),
    },
    pins: {notes: {trust: 'in_process'}},
    files: {'notes.md': 'buy milk\n'},
    spec: {
      lanes: [{id: 'core', allowed_scopes: scopes}],
      security: {allowed_scopes: scopes, network_default: 'allowlist'},
      agent_runtime: {default_model: 'chat', models, intents: {notes: {allow_tools: ['note:read']}}},
    } as object,
  });
  const keys = Object.fromEntries(names.map((_, index) => [`KEY_${index}`, `secret-${index}`]));
  const env = {PATH: process.env['PATH'], ...keys, SECOND_URL: `http://127.0.0.1:${ports[1]}/v1`};
  host = await workspace.start({env});
  session = opened(await host.openSession({by: 'agent', task: {type: 'agent-session'}}));
});
afterAll(async () => {
  await workspace.remove();
  await Promise.all(servers.map(async (server) => await server.stop()));
});

async function startServer(): Promise<LLMock> {
  const server = new LLMock({port: 0});
  server.addFixture({
    match: {userMessage: 'milk', hasToolResult: true},
    response: {content: 'Yes, buy milk.'},
  });
  server.addFixture({
    match: {userMessage: 'milk', hasToolResult: false},
    response: {content: 'I look.', toolCalls: [{name: 'note_read', arguments: '{"path": "notes.md"}', id: 'call_1'}]},
  });
  server.onMessage('hello', {content: 'Hi there!'});
  await server.start();
  return server;
}

describe.each(names)('%s', (model_profile) => {
  const index = names.indexOf(model_profile);

  test('a turn reaches its own server with its own key, from inside the sandbox', async () => {
    const messages = [{role: 'user', content: 'hello'}];
    const output = await session.call('agent:execute-turn', {session_id: 's', model_profile, messages});
    expect(output.data).toMatchObject({status: 'reply', assistant_message: {content: 'Hi there!'}});
    const receipt = await host.runtime.evidence.receipt(String(output.metadata?.receipt_id));
    const port = servers[index]?.port;
    expect(receipt?.started).toMatchObject({
      execution_mode: 'sandbox',
      scope_enforced: {network: {posture: 'allowlist', allowlist_entries: [`127.0.0.1:${port}`]}},
    });
    expect(receipt?.finished?.enforcement?.connections).toMatchObject([
      {destination: `127.0.0.1:${port}`, allowed: true},
    ]);
    // The evidence does not contain the key.
    expect(JSON.stringify(receipt)).not.toContain(`secret-${index}`);
    const [seen] = servers[index]?.getRequests() ?? [];
    const {authorization, 'x-api-key': key} = (seen?.headers ?? {}) as Record<string, string | undefined>;
    expect(authorization ?? key).toContain('[REDACTED]');
  });

  test('a session with a tool, streamed as it comes', async () => {
    const events: AgentEvent[] = [];
    const run = await startAgentSession(
      host,
      {by: 'agent', task: 'Do I need milk?', model_profile},
      {onEvent: (event) => events.push(event)},
    );
    expect(run).toMatchObject({status: 'ended', outcome: 'reply', message: 'Yes, buy milk.', turns: 2});
    expect(events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('')).toBe(
      'I look.Yes, buy milk.',
    );
    const called = events.flatMap((event) => (event.type === 'call_finished' ? [event.output.data] : []));
    expect(called).toEqual(['buy milk\n']);
  });
});

test('a model whose key is not set fails alone, and a profile that is not configured gets nothing', async () => {
  const env = {PATH: process.env['PATH'], KEY_2: 'secret-2'};
  const poor = await workspace.start({env});
  const other = opened(await poor.openSession({by: 'agent'}));
  const ask = async (model_profile: string) => {
    const output = await other.call('agent:execute-turn', {
      session_id: 's',
      model_profile,
      messages: [{role: 'user', content: 'hello'}],
    });
    return output.error?.message ?? 'success';
  };
  expect(await ask('messages')).toBe('success');
  expect(await ask('chat')).toContain('KEY_0');
  expect(await ask('nobody')).toContain('the model `nobody` is not configured');
});
