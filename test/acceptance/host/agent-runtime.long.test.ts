// The agent-runtime pack on a real host: its documented config loads, a turn runs in the sandbox, and the session's intents restrict
// the model's calls.
import type {Host, Session} from '@lumenflow/host';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {makeHostWorkspace, must, type HostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

const config = {
  default_model: 'demo',
  models: {demo: {provider: 'scripted', model: 'demo-1', script: 'agents/demo.yaml'}},
  intents: {reading: {allow_tools: ['file:read'], approval_required_tools: ['file:write']}},
  limits: {max_turns_per_session: 2},
};
const script = `
turns:
  - intent: reading
    content: Let me see.
    requested_tools: [{name: 'file:read', input: {path: notes.md}}]
  - {status: complete, content: Done., usage: {input_tokens: 120, output_tokens: 4}}
`;
let workspace: HostWorkspace;
let host: Host;
let session: Session;

beforeAll(async () => {
  workspace = makeHostWorkspace({
    firstParty: ['agent-runtime', 'software-delivery'],
    files: {'agents/demo.yaml': script, 'notes.md': 'buy milk\n'},
    spec: {agent_runtime: config},
  });
  host = await workspace.start();
  session = opened(await host.openSession({by: 'agent', task: {type: 'agent-session'}}));
});
afterAll(async () => await workspace.remove());

test('documented example config loads', async () => {
  const readme = readFileSync(join(import.meta.dirname, '../../../packs/agent-runtime/README.md'), 'utf8');
  const [, example = ''] = /## In workspace\.yaml\n\n```yaml\n([\s\S]*?)```/.exec(readme) ?? [];
  const documented = makeHostWorkspace({firstParty: ['agent-runtime'], yaml: example});
  try {
    expect((await documented.start()).runtime.workspace.tools.has('agent:execute-turn')).toBe(true);
  } finally {
    await documented.remove();
  }
});

test('a turn runs in the sandbox and asks for a tool; its answer ends the conversation', async () => {
  const user = {role: 'user', content: 'What is to do?'};
  const output = await session.call('agent:execute-turn', {session_id: 's-1', messages: [user]});
  expect(output.data).toMatchObject({
    status: 'tool_request',
    intent: 'reading',
    requested_tools: [{name: 'file:read', input: {path: 'notes.md'}}],
  });
  const receipt = await host.runtime.evidence.receipt(String(output.metadata?.receipt_id));
  expect(receipt?.started.execution_mode).toBe('sandbox');

  const turn = output.data as {
    assistant_message: object;
    requested_tools: {id: string; name: string; input: unknown}[];
  };
  const [asked] = turn.requested_tools;
  const metadata = {execution_metadata: {agent_intent: 'reading', agent_tool_call_count: 1}};
  const found = await session.call(String(asked?.name), asked?.input, metadata);
  expect(found.data).toMatchObject({content: 'buy milk\n'});

  const tool = {role: 'tool', tool_call_id: asked?.id, content: 'buy milk'};
  const messages = [user, turn.assistant_message, tool];
  expect(await must(session, 'agent:execute-turn', {session_id: 's-1', messages})).toMatchObject({
    status: 'complete',
    usage: {total_tokens: 124},
  });
  // Limits are counted from what is recorded: a caller that claims to be at its first turn changes nothing.
  expect((await session.call('agent:execute-turn', {session_id: 's-2', messages: [user]})).error).toMatchObject({
    code: 'POLICY_DENIED',
    details: {rule_id: 'agent-runtime.limit.turns', layer: 'pack'},
  });
});

const denied = {code: 'POLICY_DENIED', details: {rule_id: 'agent-runtime.intent.deny', layer: 'pack'}};

test.each([
  ['a tool outside of its intent', 'file:delete', {agent_intent: 'reading'}, denied],
  ['an unknown intent', 'file:read', {agent_intent: 'writing'}, denied],
  ['a missing intent', 'file:read', {agent_turn_index: 1}, denied],
  ['no word of an agent at all', 'file:read', undefined, denied],
  ['a tool that waits for approval', 'file:write', {agent_intent: 'reading'}, {code: 'APPROVAL_REQUIRED'}],
])('intents are policy in an agent’s session: %s', async (_, tool, execution_metadata, error) => {
  const output = await session.call(
    tool,
    {path: 'notes.md', content: ''},
    {...(execution_metadata && {execution_metadata})},
  );
  expect(output.error).toMatchObject(error);
});

test('in tasks of other types intents have no say', async () => {
  const other = opened(await host.openSession({by: 'person', task: {type: 'work-unit'}}));
  expect(await must(other, 'file:read', {path: 'notes.md'})).toMatchObject({content: 'buy milk\n'});
});
