// Sessions of a scripted model on a real host: the loop, what is fed back, approvals, limits, and continuing later.
import {
  AgentSessionError,
  resumeAgentSession,
  startAgentSession,
  type AgentEvent,
  type AgentRun,
  type AgentRunOptions,
  type Host,
  type StartRequest,
} from '@lumenflow/host';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';

const read = (path: string) => ({name: 'note:read', input: {path}});
const write = (path: string, line: string) => ({name: 'note:add', input: {path, line}});
const scripts: Readonly<Record<string, readonly object[]>> = {
  errand: [
    {intent: 'notes', content: 'Let me look.', requested_tools: [read('notes.md'), write('out.md', 'found')]},
    {intent: 'notes', requested_tools: [{name: 'note:delete', input: {path: 'notes.md'}}]},
    {status: 'complete', content: 'It may not be deleted.'},
  ],
  asking: [
    {intent: 'careful', requested_tools: [write('asked.md', 'yes')]},
    {status: 'complete', content: 'Written.'},
  ],
  talking: [{content: 'Which one?'}, {status: 'complete', content: 'That one.'}],
  greedy: Array.from({length: 9}, () => ({intent: 'notes', requested_tools: [read('notes.md')]})),
  short: [{intent: 'notes', requested_tools: [read('notes.md')]}],
};
const config = {
  default_model: 'errand',
  models: Object.fromEntries(
    Object.keys(scripts).map((name) => [name, {provider: 'scripted', model: name, script: `agents/${name}.json`}]),
  ),
  intents: {
    notes: {description: 'Keep notes', allow_tools: ['note:read', 'note:add']},
    careful: {approval_required_tools: ['note:add']},
  },
  limits: {max_turns_per_session: 6, max_tool_calls_per_session: 4},
};

let workspace: HostWorkspace;
let host: Host;
beforeAll(async () => {
  const files = Object.entries(scripts).map(([name, turns]) => [`agents/${name}.json`, JSON.stringify({turns})]);
  workspace = makeHostWorkspace({
    firstParty: ['agent-runtime'],
    copied: {notes: join(import.meta.dirname, '../../support/notes-pack')},
    pins: {notes: {trust: 'in_process'}},
    files: {...Object.fromEntries(files), 'notes.md': 'buy milk\n'},
    spec: {agent_runtime: config},
  });
  host = await workspace.start();
});
afterAll(async () => await workspace.remove());

async function start(
  model_profile: string,
  options: AgentRunOptions = {},
  more: Partial<StartRequest> = {},
): Promise<AgentRun> {
  return await startAgentSession(host, {by: 'agent', task: 'Do it', model_profile, ...more}, options);
}

async function journalOf(session_id: string): Promise<readonly Record<string, unknown>[]> {
  const text = readFileSync(join(workspace.root, '.agent-runtime/workflow/sessions', session_id), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

async function receiptsOf(session_id: string) {
  return (await host.runtime.evidence.readTracesByTaskId(session_id)).receipts.toReversed();
}

test('a session runs to its end: each call is made once, denials reach the model, and everything is recorded', async () => {
  const events: AgentEvent[] = [];
  const run = await start('errand', {onEvent: (event) => events.push(event)});
  expect(run).toMatchObject({status: 'ended', outcome: 'complete', message: 'It may not be deleted.', turns: 3});
  expect(readFileSync(join(workspace.root, 'out.md'), 'utf8')).toBe('found\n');
  expect(events.flatMap((event) => (event.type === 'text' ? [event.text] : []))).toEqual([
    'Let me look.',
    'It may not be deleted.',
  ]);
  const outputs = events.flatMap((event) =>
    event.type === 'call_finished' ? [[event.call.name, event.output.error?.code]] : [],
  );
  expect(outputs).toEqual([
    ['note:read', undefined],
    ['note:add', undefined],
    ['note:delete', 'POLICY_DENIED'],
  ]);
  const receipts = await receiptsOf(run.session_id);
  const calls = receipts.filter(({started}) => started.tool_name.startsWith('note:'));
  expect(calls.map(({started}) => started.execution_metadata)).toMatchObject([
    {agent_intent: 'notes', agent_turn_index: 0, agent_tool_call_count: 1, agent_tool_call_id: 'call-0-0'},
    {agent_intent: 'notes', agent_turn_index: 0, agent_tool_call_count: 2, agent_tool_call_id: 'call-0-1'},
    {agent_intent: 'notes', agent_turn_index: 1, agent_tool_call_count: 3, agent_tool_call_id: 'call-1-0'},
  ]);
  const turns = receipts.filter(({started}) => started.tool_name === 'agent:execute-turn');
  const lastInput = JSON.parse((await host.runtime.evidence.readBlob(turns.at(-1)?.started.input_ref ?? '')) ?? '');
  expect(JSON.stringify(lastInput.messages.at(-1))).toContain('POLICY_DENIED');
  expect(lastInput.tool_catalog.map(({name}: {name: string}) => name)).toEqual(['note:add', 'note:read']);
  expect((await journalOf(run.session_id)).map(({type}) => type)).toEqual(['created', 'settled']);
  expect(host.runtime.listTasks().find(({task_id}) => task_id === run.session_id)?.state).toBe('done');
});

test('what needs approval is asked at once where somebody can answer, and passes once', async () => {
  const run = await start('asking', {
    askApproval: async ({request_id}) => {
      await host.runtime.resolveApproval({request_id, approved: true, approved_by: 'ada'});
      return 'resolved';
    },
  });
  expect(run).toMatchObject({outcome: 'complete'});
  expect(readFileSync(join(workspace.root, 'asked.md'), 'utf8')).toBe('yes\n');
});

test.each([
  [true, 'success'],
  [false, 'POLICY_DENIED'],
])('otherwise the session waits, and goes on when a person has answered: %s', async (approved, end) => {
  const run = await start('asking');
  expect(run).toMatchObject({status: 'waiting', turns: 1});
  const [request_id = ''] = run.approvals ?? [];
  const again = await resumeAgentSession(host, {by: 'agent', session_id: run.session_id});
  expect(again).toMatchObject({status: 'waiting', approvals: [request_id]});
  await host.runtime.resolveApproval({request_id, approved, approved_by: 'ada'});
  const events: AgentEvent[] = [];
  const resumed = await resumeAgentSession(
    host,
    {by: 'agent', session_id: run.session_id, reason: 'approval'},
    {onEvent: (event) => events.push(event)},
  );
  expect(resumed).toMatchObject({status: 'ended', outcome: 'complete'});
  const ends = events.flatMap((event) =>
    event.type === 'call_finished' ? [event.output.error?.code ?? 'success'] : [],
  );
  expect(ends).toEqual([end]);
  expect((await journalOf(run.session_id)).map(({type, reason}) => reason ?? type)).toEqual([
    'created',
    'settled',
    'resumed',
    'settled',
    'approval',
    'settled',
  ]);
});

test('a reply ends the loop; a later message from a person reaches the model', async () => {
  const run = await start('talking');
  expect(run).toMatchObject({status: 'ended', outcome: 'reply', message: 'Which one?'});
  const resumed = await resumeAgentSession(host, {by: 'agent', session_id: run.session_id, message: 'The red one.'});
  expect(resumed).toMatchObject({outcome: 'complete', message: 'That one.', turns: 2});
  const turns = (await receiptsOf(run.session_id)).filter(({started}) => started.tool_name === 'agent:execute-turn');
  const {messages} = JSON.parse((await host.runtime.evidence.readBlob(turns.at(-1)?.started.input_ref ?? '')) ?? '');
  expect(messages.at(-1)).toEqual({
    role: 'user',
    content: expect.stringMatching(/^\[Message from `[^`]+`, added by LumenFlow\]\nThe red one\.$/u),
  });
  await expect(resumeAgentSession(host, {by: 'agent', session_id: run.session_id})).rejects.toThrow(AgentSessionError);
});

test('a session ends at the first limit that it reaches', async () => {
  expect(await start('greedy')).toMatchObject({
    outcome: 'limit',
    turns: 5,
    message: expect.stringContaining('4 tool calls'),
  });
  expect(await start('greedy', {}, {limits: {max_turns_per_session: 2}})).toMatchObject({outcome: 'limit', turns: 2});
});

test('a failed turn ends the loop and is repeated when the session resumes', async () => {
  const run = await start('short');
  expect(run).toMatchObject({outcome: 'failed', turns: 1, message: expect.stringContaining('SCRIPT_EXHAUSTED')});
  const more = [...(scripts['short'] ?? []), {status: 'complete', content: 'Now.'}];
  workspace.write({'agents/short.json': JSON.stringify({turns: more})});
  const resumed = await resumeAgentSession(host, {by: 'agent', session_id: run.session_id});
  expect(resumed).toMatchObject({outcome: 'complete', turns: 2});
  const reads = (await receiptsOf(run.session_id)).filter(({started}) => started.tool_name === 'note:read');
  expect(reads).toHaveLength(1);
});

test('an interrupted session resumes unchanged', async () => {
  const stop = new AbortController();
  const onEvent = (event: AgentEvent): void => {
    if (event.type === 'call_started') stop.abort();
  };
  const run = await start('errand', {signal: stop.signal, onEvent});
  expect(run).toMatchObject({status: 'interrupted', turns: 1});
  expect(await resumeAgentSession(host, {by: 'agent', session_id: run.session_id})).toMatchObject({
    outcome: 'complete',
    turns: 3,
  });
});

test('a session that cannot be started is reported and leaves no task active', async () => {
  const code = (failure: string) => expect.objectContaining({failure: expect.objectContaining({code: failure})});
  await expect(start('nobody', {}, {session_id: 'no-model'})).rejects.toEqual(code('MODEL_NOT_CONFIGURED'));
  await expect(start('errand', {}, {session_id: 'no-intent', intent: 'none'})).rejects.toEqual(
    code('INTENT_NOT_CONFIGURED'),
  );
  for (const id of ['no-model', 'no-intent'])
    expect(host.runtime.listTasks().find(({task_id}) => task_id === id)?.state).toBe('ready');
  await expect(resumeAgentSession(host, {by: 'agent', session_id: 'nowhere'})).rejects.toEqual(
    code('SESSION_NOT_FOUND'),
  );
});
