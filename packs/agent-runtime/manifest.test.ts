import {readFileSync} from 'node:fs';
import {isToolDefinition} from '@lumenflow/pack-sdk';
import type {PackManifest} from '@lumenflow/schemas';
import {validateManifest} from '@lumenflow/schemas/validators';
import {Ajv2020} from 'ajv/dist/2020.js';
import {describe, expect, it} from 'vitest';
import {parse} from 'yaml';
import {executeTurn} from './tools/execute-turn.ts';
import {createTestContext} from './test-context.fixture.ts';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const manifest = parse(read('manifest.yaml')) as PackManifest;
const ajv = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
  strictRequired: false,
  strictTypes: false,
  allErrors: true,
});
const [tool] = manifest.tools;
const validateInput = ajv.compile(tool?.input_schema ?? {});
const validateOutput = ajv.compile(tool?.output_schema ?? {});
const validateConfig = ajv.compile(JSON.parse(read('config.schema.json')) as object);

describe('the manifest', () => {
  it('is valid, and names entries that exist', async () => {
    expect(validateManifest(manifest) || validateManifest.errors).toBe(true);
    const tools = [manifest, ...(manifest.tool_files ?? []).map((path) => parse(read(path)) as PackManifest)].flatMap(
      (file) => file.tools,
    );
    expect(tools).toHaveLength(13);
    const entries = tools.map(({handler_entry: entry}) => entry);
    for (const entry of [manifest.policy_factory ?? '', manifest.capability_factory ?? '', ...entries]) {
      const [path = '', name = ''] = entry.split('#');
      const module = (await import(new URL(path, import.meta.url).href)) as Record<string, unknown>;
      expect(path.startsWith('tools/') ? isToolDefinition(module[name]) : typeof module[name] === 'function').toBe(
        true,
      );
    }
  });

  it('describes the tool’s input and output', async () => {
    const config = {default_model: 'a', models: {a: {provider: 'scripted' as const, model: 'm', script: 's'}}};
    const script = "turns: [{content: x, requested_tools: [{name: 'a:b', input: [1]}]}, {content: y, intent: i}]";
    const user = {role: 'user' as const, content: 'x'};
    const context = createTestContext(config, {s: script});
    const first = await executeTurn.run({session_id: 's', messages: [user]}, context);
    expect(validateOutput(first) || validateOutput.errors).toBe(true);
    if (!('assistant_message' in first)) throw new Error('no turn');
    const next = {
      session_id: 's',
      messages: [user, first.assistant_message, {role: 'tool' as const, tool_call_id: 'call-0-0', content: 'x'}],
      tool_catalog: [{name: 'a:b', input_schema: {}}],
      intent_catalog: [{id: 'i'}],
      limits: {max_cost_usd: 1},
    };
    expect(validateInput(next) || validateInput.errors).toBe(true);
    expect(validateOutput(await executeTurn.run(next, context))).toBe(true);
  });

  it.each([
    {messages: [{role: 'user', content: 'x'}]},
    {session_id: 's', messages: []},
    {session_id: 's', messages: [{role: 'robot', content: 'x'}]},
    {session_id: 's', messages: [{role: 'tool', content: 'x'}]},
    {session_id: 's', messages: [{role: 'user', content: 'x', tool_call_id: 'a'}]},
    {session_id: 's', messages: [{role: 'user', content: 'x'}], api_key: 'x'},
  ])('rejects the input %j', (input) => {
    expect(validateInput(input)).toBe(false);
  });
});

describe('the config schema', () => {
  const documented = `
default_model: operations
models:
  operations: {provider: messages_compatible, model: m1, api_key_env: AGENT_RUNTIME_API_KEY, base_url: https://models.example/v1}
  planning:   {provider: openai_compatible, model: m2, api_key_env: PLANNER_API_KEY, base_url_env: PLANNER_BASE_URL}
intents:
  scheduling: {description: ..., allow_tools: [calendar:create-event], approval_required_tools: [calendar:delete-event]}
limits: {max_turns_per_session: 12, max_tool_calls_per_session: 6, max_input_bytes: 65536, max_output_tokens: 4096, max_cost_usd: 5}
`;

  it('accepts the documented config', () => {
    expect(validateConfig(parse(documented)) || validateConfig.errors).toBe(true);
    expect(validateConfig({models: {a: {provider: 'scripted', model: 'm', script: 's'}}})).toBe(true);
  });

  it.each([
    {models: {a: {provider: 'scripted', model: 'm'}}},
    {models: {a: {provider: 'scripted', model: 'm', script: 's', base_url: 'https://x'}}},
    {models: {a: {provider: 'openai_compatible', model: 'm'}}},
    {models: {a: {provider: 'openai_compatible', model: 'm', base_url: 'https://x', base_url_env: 'X'}}},
    {models: {a: {provider: 'openai_compatible', model: 'm', base_url: 'https://key@x'}}},
    {models: {a: {provider: 'openai_compatible', model: 'm', base_url: 'https://x', script: 's'}}},
    {models: {a: {provider: 'other', model: 'm', base_url: 'https://x'}}},
    {intents: {a: {allow: ['a:b']}}},
    {limits: {max_turns: 1}},
  ])('rejects %j', (config) => {
    expect(validateConfig(config)).toBe(false);
  });
});
