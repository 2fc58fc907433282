// One suite for every model-server protocol, against servers that reply in its wire format and fail like real ones.
import type {Message, TurnData} from '@lumenflow/pack-sdk/agent-session';
import {afterAll, beforeAll, beforeEach, describe, expect, it} from 'vitest';
import type {RemoteModel} from '../pack-config.ts';
import {createTestContext} from '../test-context.fixture.ts';
import {executeTurn} from '../tools/execute-turn.ts';
import type {TurnInput} from '../turn/turn-input.ts';
import {dialects} from './dialects.fixture.ts';
import {startModelServer, type ModelServer} from './model-server.fixture.ts';

const catalog: NonNullable<TurnInput['tool_catalog']> = [
  {
    name: 'file:read',
    description: 'Reads',
    input_schema: {type: 'object', required: ['path'], properties: {path: {type: 'string'}}},
  },
  {name: 'calendar:create-event'},
];
const user: Message = {role: 'user', content: 'Größe?'};
const key = 'secret-key-123';
const [read, create] = [
  {id: 'c1', name: 'file_read', arguments: {path: 'grün.md'}},
  {id: 'c2', name: 'calendar_create-event', arguments: {title: 'Review', at: {day: 1}}},
];
const asked = [
  {id: 'c1', name: 'file:read', input: {path: 'grün.md'}},
  {id: 'c2', name: 'calendar:create-event', input: {title: 'Review', at: {day: 1}}},
];

describe.each(dialects)('$name', (dialect) => {
  let server: ModelServer;
  let progress: unknown[];
  beforeAll(async () => {
    server = await startModelServer(dialect);
  });
  beforeEach(() => {
    progress = [];
  });
  afterAll(() => server.close());

  async function turn(
    input: Partial<TurnInput> = {},
    more: Partial<RemoteModel> = {},
    signal?: AbortSignal,
  ): Promise<TurnData> {
    const model: RemoteModel = {
      ...dialect.model,
      model: 'm',
      base_url: server.base_url,
      api_key_env: 'KEY',
      timeout_ms: 10_000,
      ...more,
    };
    const config = {default_model: 'a', models: {a: model}, limits: {max_output_tokens: 900}};
    const context = {...createTestContext(config, {}, progress), env: {KEY: key}, ...(signal && {signal})};
    return (await executeTurn.run({session_id: 's', messages: [user], ...input}, context)) as TurnData;
  }
  const streamedText = (): string => progress.map((payload) => (payload as {text: string}).text).join('');

  describe.each([false, true])('streamed: %s', (stream) => {
    it('returns a plain reply with its usage', async () => {
      server.answer({scene: {text: 'Es grünt so grün – ✓'}});
      expect(await turn({stream})).toEqual({
        status: 'reply',
        assistant_message: {role: 'assistant', content: 'Es grünt so grün – ✓'},
        requested_tools: [],
        provider: {kind: dialect.model.provider, model: 'm'},
        usage: {input_tokens: 12, output_tokens: 7, total_tokens: 19},
        finish_reason: 'stop',
      });
      expect(streamedText()).toBe(stream ? 'Es grünt so grün – ✓' : '');
      expect(server.requests[0]).toMatchObject({path: dialect.path, body: {model: 'm'}});
    });

    it('returns a tool call without text', async () => {
      server.answer({scene: {calls: [read]}});
      expect(await turn({stream, tool_catalog: catalog})).toMatchObject({
        status: 'tool_request',
        assistant_message: {content: '', requested_tools: [asked[0]]},
        requested_tools: [asked[0]],
        finish_reason: 'tool_calls',
      });
    });

    it('returns several calls with text', async () => {
      server.answer({scene: {text: 'Both.', calls: [read, create, {id: 'c3', name: 'made_up', arguments: {}}]}});
      const output = await turn({stream, tool_catalog: catalog});
      expect(output.requested_tools).toEqual([...asked, {id: 'c3', name: 'made_up', input: {}}]);
      expect(output.assistant_message.content).toBe('Both.');
    });

    it.each([
      ['a refusal', {refusal: 'I will not.', finish: 'refusal'}, 'refusal'],
      ['a reply cut short', {text: 'and so', finish: 'length'}, 'length'],
    ] as const)('tells %s', async (_, scene, finish_reason) => {
      server.answer({scene});
      const output = await turn({stream});
      expect(output).toMatchObject({status: 'reply', finish_reason});
      expect(output.assistant_message.content).toBe('refusal' in scene ? scene.refusal : scene.text);
    });

    it.each(['complete', 'escalate'])('lets the model end the session: %s', async (status) => {
      server.answer({scene: {calls: [{id: 'c1', name: 'end_session', arguments: {status, message: 'That is it.'}}]}});
      expect(await turn({stream, tool_catalog: catalog})).toMatchObject({
        status,
        assistant_message: {content: 'That is it.'},
        requested_tools: [],
      });
    });

    it('reports a reply that is not JSON, and one of another shape', async () => {
      const type = stream ? 'text/event-stream' : 'application/json';
      for (const raw of ['{"choices": [', '{"hello": 1}', '[]']) {
        server.answer({raw: stream ? `data: ${raw}\n\n` : raw, type});
        await expect(turn({stream}, {max_retries: 0})).rejects.toMatchObject({
          code: expect.stringMatching(/^PROVIDER_(RESPONSE_INVALID|STREAM_BROKEN)$/),
        });
        expect(server.requests).toHaveLength(1);
      }
    });

    it('keeps arguments that are not JSON as text, and repeats them to the model', async () => {
      const text = '{"path": ';
      server.answer({scene: {calls: [{id: 'c1', name: 'file_read', arguments: text}]}});
      const {assistant_message, requested_tools} = await turn({stream, tool_catalog: catalog});
      expect(requested_tools).toEqual([{id: 'c1', name: 'file:read', input: text}]);
      server.answer({scene: {text: 'sorry'}});
      const result = {role: 'tool' as const, tool_call_id: 'c1', content: 'INVALID_INPUT'};
      await turn({stream, tool_catalog: catalog, messages: [assistant_message, result]});
      const repeated = JSON.stringify(server.requests[0]?.body).replaceAll('\\', '');
      expect(repeated).toMatch(/"(input|arguments)":\s?("+|{"arguments":")\{"path": /);
    });

    it('reports a connection that ends during the reply, and its cause', async () => {
      server.answer({scene: {text: 'A long story, which ends'}, break_after: 3});
      await expect(turn({stream}, {max_retries: 0})).rejects.toMatchObject({
        code: 'PROVIDER_STREAM_BROKEN',
        message: expect.not.stringContaining('terminated'),
      });
    });

    it('requests a reply again whose connection ended early', async () => {
      server.answer({scene: {calls: [read]}, break_after: 1}, {scene: {text: 'whole'}});
      expect((await turn({stream, tool_catalog: catalog})).assistant_message.content).toBe('whole');
      expect(server.requests).toHaveLength(2);
    });

    it.runIf(stream)('does not repeat a reply whose first words were passed on', async () => {
      server.answer({scene: {text: 'A long story, which ends'}, break_after: 5});
      await expect(turn({stream})).rejects.toMatchObject({code: 'PROVIDER_STREAM_BROKEN'});
      expect(streamedText()).not.toBe('');
      expect(server.requests).toHaveLength(1);
    });

    it('reports a rejected key without revealing it', async () => {
      server.answer({status: 401, body: JSON.stringify({error: {type: 'auth', message: `no such key: ${key}`}})});
      const thrown: unknown = await turn({stream}).catch((error: unknown) => error);
      expect(thrown).toMatchObject({code: 'PROVIDER_UNAUTHORIZED', details: {status: 401}});
      expect(String(thrown)).toContain('no such key: (the key)');
      expect(server.requests).toHaveLength(1);
    });

    it('retries after 429 and 5xx when the server allows it', async () => {
      const soon = {'retry-after': '0'};
      server.answer({status: 429, headers: soon}, {status: 503, headers: soon}, {scene: {text: 'now'}});
      expect((await turn({stream})).assistant_message.content).toBe('now');
      expect(server.requests).toHaveLength(3);
    });

    it('stops at the retry limit, or if the delay is too long', async () => {
      server.answer({status: 429, headers: {'retry-after-ms': '1'}});
      await expect(turn({stream}, {max_retries: 1})).rejects.toMatchObject({code: 'PROVIDER_RATE_LIMITED'});
      expect(server.requests).toHaveLength(2);
      server.answer({status: 500, headers: {'retry-after': '3600'}});
      await expect(turn({stream})).rejects.toMatchObject({code: 'PROVIDER_UNAVAILABLE'});
      expect(server.requests).toHaveLength(1);
      server.answer({status: 404, body: 'no such model'});
      await expect(turn({stream})).rejects.toMatchObject({
        code: 'PROVIDER_REQUEST_REFUSED',
        message: expect.stringContaining('no such model'),
      });
    });

    it('waits for a slow first byte until the timeout', async () => {
      server.answer({scene: {text: 'late'}, delay_ms: 300});
      expect((await turn({stream})).assistant_message.content).toBe('late');
      server.answer({scene: {text: 'too late'}, delay_ms: 5_000});
      await expect(turn({stream}, {timeout_ms: 50, max_retries: 0})).rejects.toMatchObject({code: 'PROVIDER_TIMEOUT'});
    });

    it('reads a huge reply and rejects one over the size limit', async () => {
      const text = 'lorem ipsum '.repeat(20_000);
      server.answer({scene: {text}});
      expect((await turn({stream: false})).assistant_message.content).toBe(text);
      server.answer({raw: `{"x": "${'x'.repeat(17 * 1024 * 1024)}"}`, ...(stream && {type: 'text/event-stream'})});
      await expect(turn({stream})).rejects.toMatchObject({
        code: 'PROVIDER_RESPONSE_INVALID',
        message: expect.stringContaining('more than'),
      });
    });

    it('ends immediately when the call is cancelled', async () => {
      const cancel = new AbortController();
      server.answer({scene: {text: 'never'}, delay_ms: 10_000});
      const pending = turn({stream}, {}, cancel.signal);
      setTimeout(() => cancel.abort(), 50);
      await expect(pending).rejects.toMatchObject({name: 'AbortError'});
    });
  });

  it('reports a server that fails during the stream, and one that is unreachable', async () => {
    server.answer({
      raw: 'event: error\ndata: {"type": "error", "error": {"type": "overloaded", "message": "too busy"}}\n\n',
      type: 'text/event-stream',
    });
    await expect(turn({stream: true})).rejects.toMatchObject({
      code: 'PROVIDER_UNAVAILABLE',
      message: expect.stringContaining('too busy'),
    });
    server.answer({hang_up: true});
    await expect(turn({}, {max_retries: 0})).rejects.toMatchObject({
      code: 'PROVIDER_UNAVAILABLE',
      message: expect.stringContaining('cannot be reached'),
    });
  });

  it('does not follow redirects, so the key goes only to the configured server', async () => {
    server.answer({status: 302, headers: {location: '/elsewhere'}});
    await expect(turn()).rejects.toMatchObject({code: 'PROVIDER_REQUEST_REFUSED', details: {status: 302}});
    expect(server.requests).toHaveLength(1);
  });

  it('sends all roles, tool results, definitions and limits, and the key in its header', async () => {
    server.answer({scene: {text: 'ok'}});
    const messages: Message[] = [
      {role: 'system', content: 'Be brief.'},
      user,
      {role: 'assistant', content: '', requested_tools: asked},
      {role: 'tool', tool_call_id: 'c1', content: '42'},
      {role: 'tool', tool_call_id: 'c2', content: 'denied'},
    ];
    await turn({messages, tool_catalog: catalog, limits: {max_output_tokens: 50}});
    expect(server.requests[0]?.body).toMatchSnapshot();
    const {
      authorization,
      'x-api-key': apiKey,
      'anthropic-version': version,
      connection,
    } = server.requests[0]?.headers ?? {};
    expect(connection).toBe('close');
    const isMessages = dialect.model.provider === 'messages_compatible';
    expect({authorization, apiKey, version}).toEqual(
      isMessages
        ? {authorization: undefined, apiKey: key, version: '2023-06-01'}
        : {authorization: `Bearer ${key}`, apiKey: undefined, version: undefined},
    );
  });

  it('makes the model name the intent of each call if there are several', async () => {
    const intents = {
      tool_catalog: catalog,
      intent_catalog: [{id: 'reading', description: 'Look things up'}, {id: 'planning'}],
    };
    const withIntent = (agent_intent: string) => ({...read, arguments: {path: 'x', agent_intent}});
    server.answer({scene: {calls: [withIntent('reading')]}});
    const one = await turn(intents);
    expect(one).toMatchObject({intent: 'reading', requested_tools: [{input: {path: 'x'}}]});
    expect(one.requested_tools[0]?.input).not.toHaveProperty('agent_intent');
    expect(JSON.stringify(server.requests[0]?.body)).toContain('reading: Look things up; planning');
    server.answer({scene: {calls: [withIntent('reading'), {...withIntent('planning'), id: 'c9'}]}});
    expect(await turn(intents)).not.toHaveProperty('intent');
    server.answer({scene: {calls: [read]}});
    expect(await turn(intents)).not.toHaveProperty('intent');
    expect(await turn({...intents, intent_catalog: [{id: 'only'}]})).toMatchObject({intent: 'only'});
  });

  it('computes the cost from the price, and reads its address from a variable', async () => {
    server.answer({scene: {text: 'ok'}});
    const price = {usd_per_million_input_tokens: 2, usd_per_million_output_tokens: 10};
    expect((await turn({}, {price})).usage.cost).toBeCloseTo(0.000094, 9);
    const model: RemoteModel = {...dialect.model, model: 'm', base_url_env: 'URL'};
    const at = async (url: string): Promise<unknown> => {
      const context = {...createTestContext({default_model: 'a', models: {a: model}}), env: {URL: url}};
      return await executeTurn.run({session_id: 's', messages: [user]}, context);
    };
    expect(await at(server.base_url.replace(/\/v1$/u, '/'))).toMatchObject({status: 'reply'});
    expect(server.requests.at(-1)).toMatchObject({path: dialect.path});
    expect(server.requests.at(-1)?.headers).not.toHaveProperty('authorization');
    await expect(at('nowhere')).rejects.toMatchObject({code: 'MODEL_NOT_CONFIGURED'});
  });

  it('rejects tools whose native names are equal', async () => {
    const twins = [{name: 'a:b'}, {name: 'a_b'}];
    await expect(turn({tool_catalog: twins})).rejects.toMatchObject({code: 'INVALID_INPUT'});
  });
});
