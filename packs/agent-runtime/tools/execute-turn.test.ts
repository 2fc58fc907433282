import type {Message, TurnData} from '@lumenflow/pack-sdk/agent-session';
import {describe, expect, it, vi} from 'vitest';
import type {AgentRuntimeConfig} from '../pack-config.ts';
import {createTestContext} from '../test-context.fixture.ts';
import {executeTurn} from './execute-turn.ts';

const config: AgentRuntimeConfig = {
  default_model: 'demo',
  models: {
    demo: {provider: 'scripted', model: 'demo-1', script: 'agents/demo.yaml'},
    json: {provider: 'scripted', model: 'demo-2', script: 'agents/demo.json'},
    openai: {provider: 'openai_compatible', model: 'm', base_url: 'http://localhost:1'},
    messages: {provider: 'messages_compatible', model: 'm', base_url: 'http://localhost:1'},
  },
};
const script = `
turns:
  - intent: scheduling
    content: I look first.
    requested_tools:
      - {name: 'calendar:list'}
      - {id: mine, name: 'calendar:create-event', input: {title: Größe}}
    usage: {input_tokens: 10, output_tokens: 5, cost: 0.01}
  - {content: Shall I?}
  - {status: complete, content: Done., finish_reason: length}
`;
const files = {
  'agents/demo.yaml': script,
  'agents/demo.json': JSON.stringify({turns: [{status: 'escalate', content: 'Help'}]}),
};
const user: Message = {role: 'user', content: 'Plan it'};

async function run(
  messages: readonly Message[],
  rest: object = {},
  limits = {},
  progress: unknown[] = [],
): Promise<TurnData> {
  const context = createTestContext({...config, limits}, files, progress);
  return (await executeTurn.run({session_id: 's-1', messages, ...rest}, context)) as TurnData;
}

describe('agent:execute-turn on the scripted provider', () => {
  it('replays turn by turn; each output goes into the next input', async () => {
    const requested = [
      {id: 'call-0-0', name: 'calendar:list', input: {}},
      {id: 'mine', name: 'calendar:create-event', input: {title: 'Größe'}},
    ];
    const first = await run([user]);
    expect(first).toEqual({
      status: 'tool_request',
      intent: 'scheduling',
      assistant_message: {role: 'assistant', content: 'I look first.', requested_tools: requested},
      requested_tools: requested,
      provider: {kind: 'scripted', model: 'demo-1'},
      usage: {input_tokens: 10, output_tokens: 5, total_tokens: 15, cost: 0.01},
      finish_reason: 'tool_calls',
    });
    const answered: Message[] = [user, first.assistant_message, {role: 'tool', tool_call_id: 'mine', content: '{}'}];
    const second = await run(answered);
    expect(second).toEqual({
      status: 'reply',
      assistant_message: {role: 'assistant', content: 'Shall I?'},
      requested_tools: [],
      provider: {kind: 'scripted', model: 'demo-1'},
      usage: {input_tokens: 0, output_tokens: 0, total_tokens: 0},
      finish_reason: 'stop',
    });
    const third = [...answered, second.assistant_message, user];
    const last = await run(third);
    expect(last).toMatchObject({status: 'complete', finish_reason: 'length'});
    await expect(run([...third, last.assistant_message, user])).rejects.toMatchObject({
      code: 'SCRIPT_EXHAUSTED',
      details: {turns: 3, turn_index: 3},
    });
  });

  it('reads JSON, and streams on request', async () => {
    const progress: unknown[] = [];
    expect(await run([user], {model_profile: 'json', stream: true}, {}, progress)).toMatchObject({status: 'escalate'});
    expect(progress).toEqual([{type: 'text_delta', text: 'Help'}]);
    await run([user], {}, {}, progress);
    expect(progress).toHaveLength(1);
  });

  it.each([
    ['invalid YAML', 'turns: [', 'neither YAML nor JSON'],
    ['no turns', 'turns: []', 'turns'],
    ['an unknown key', 'turns: [{contents: x}]', 'contents'],
    ['a wrong type', 'turns: [{content: 1}]', 'content'],
    ['a request without tools', 'turns: [{status: tool_request}]', 'request tools'],
    ['tools without a request', "turns: [{status: reply, requested_tools: [{name: 'a:b'}]}]", 'request tools'],
  ])('rejects a script with %s', async (_name, text, message) => {
    const context = createTestContext(config, {'agents/demo.yaml': text});
    await expect(executeTurn.run({session_id: 's-1', messages: [user]}, context)).rejects.toMatchObject({
      code: 'SCRIPT_INVALID',
      message: expect.stringContaining(message),
    });
  });

  it('reports a missing script', async () => {
    const context = createTestContext(config);
    await expect(executeTurn.run({session_id: 's-1', messages: [user]}, context)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

describe('agent:execute-turn', () => {
  it('rejects a model that is not configured', async () => {
    for (const profile of ['none', 'constructor', '__proto__']) {
      await expect(run([user], {model_profile: profile})).rejects.toMatchObject({code: 'MODEL_NOT_CONFIGURED'});
    }
    const bare = createTestContext(undefined);
    await expect(executeTurn.run({session_id: 's-1', messages: [user]}, bare)).rejects.toMatchObject({
      code: 'MODEL_NOT_CONFIGURED',
    });
  });

  it('enforces limits, which a call may lower but not raise', async () => {
    const said: Message = {role: 'assistant', content: 'x'};
    const tool: Message = {role: 'tool', tool_call_id: 'a', content: 'ü'};
    const over = (limit: string, count: number): object => ({code: 'LIMIT_EXCEEDED', details: {limit, count}});
    await expect(run([user, said], {}, {max_turns_per_session: 1})).rejects.toMatchObject(
      over('max_turns_per_session', 2),
    );
    await expect(run([user, said], {limits: {max_turns_per_session: 1}})).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
    });
    await expect(
      run([user, said], {limits: {max_turns_per_session: 9}}, {max_turns_per_session: 1}),
    ).rejects.toMatchObject({code: 'LIMIT_EXCEEDED'});
    await expect(run([user, tool], {}, {max_tool_calls_per_session: 0})).rejects.toMatchObject(
      over('max_tool_calls_per_session', 1),
    );
    const bytes = Buffer.byteLength(JSON.stringify([tool]));
    await expect(run([tool], {}, {max_input_bytes: bytes - 1})).rejects.toMatchObject(over('max_input_bytes', bytes));
    expect(await run([tool], {}, {max_input_bytes: bytes})).toMatchObject({status: 'tool_request'});
  });

  it.each([
    ['off', 0],
    ['allowlist', 1],
  ] as const)('prepares for turns with network %s, and leaves nothing open', async (network, requests) => {
    const open = () => process.getActiveResourcesInfo().filter((kind) => kind.startsWith('TCP'));
    const [before, asked] = [open(), vi.spyOn(globalThis, 'fetch')];
    await executeTurn.prepare?.({network});
    expect(asked.mock.calls.map(([request]) => new URL(new Request(request).url).hostname)).toEqual(
      Array(requests).fill('127.0.0.1'),
    );
    asked.mockRestore();
    await expect.poll(open).toEqual(before);
  });
});
