// Rules with `after`: what the session or the task did before, over processes and restarts.
import type {EvidenceStore} from '@lumenflow/kernel/adapters';
import type {AfterMatcher, PolicyMatcher, PolicyRule, ToolOutput} from '@lumenflow/schemas';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {examplePack} from '../../../support/example-pack.ts';
import {passThroughEvidence} from '../../../support/pass-through-state.ts';
import {createStage, type RuntimeWords, type Stage} from '../../../support/stage.ts';
import {stateKinds} from '../../../support/state-home.ts';

const pack = examplePack({
  id: 'work',
  tools: [
    {name: 'gate:run', permission: 'write'},
    {name: 'file:write', permission: 'write', input_schema: {type: 'object'}},
    {name: 'file:read'},
    {name: 'key:read'},
    {name: 'git:push', permission: 'write'},
    {name: 'work:all', permission: 'write'},
  ],
});

const since: AfterMatcher = {call: {tool: 'gate:run'}, without: {permission: ['write']}, of: 'task'};

function words(when: PolicyMatcher, more: Partial<RuntimeWords> = {}): RuntimeWords {
  const rule: PolicyRule = {id: 'sequence', trigger: 'on_tool_request', decision: 'deny', when};
  return {packs: [pack], workspace: {policies: {default_decision: 'allow', rules: [rule]}}, ...more};
}

const gated: PolicyMatcher = {tool: 'git:push', not: {after: since}};

function receiptOf({metadata}: ToolOutput): {readonly receipt_id: string} {
  return {receipt_id: metadata?.receipt_id ?? expect.fail('the call has no receipt')};
}

describe.each(stateKinds)('state $name', (kind) => {
  let stage: Stage;
  beforeEach(() => {
    stage = createStage(kind);
  });
  afterEach(() => stage.close());

  test('a push needs a gate since the last write, in whatever process', async () => {
    const [runtime, other] = [await stage.open(words(gated)), await stage.open(words(gated))];
    const context = await runtime.startTask();
    const pushes = async (from = runtime): Promise<boolean> =>
      (await from.executeTool('git:push', {}, context)).success;
    expect(await pushes()).toBe(false);
    await other.executeTool('gate:run', {}, context);
    await runtime.executeTool('file:read', {}, context);
    expect(await pushes(other)).toBe(true);
    // A push writes, too.
    expect(await pushes()).toBe(false);
    await runtime.executeTool('gate:run', {}, context);
    // A refused write changes nothing.
    expect((await runtime.executeTool('file:write', 'x', context)).error?.code).toBe('INVALID_INPUT');
    await runtime.close();
    await other.close();
    const restarted = await stage.open(words(gated));
    expect((await restarted.explainTool('git:push', {}, context)).decision).toBe('allow');
    await restarted.executeTool('file:write', {}, context);
    expect(await pushes(restarted)).toBe(false);
  });

  test('only calls with these arguments count, until their input is redacted', async () => {
    const whole: AfterMatcher['call'] = {tool: 'gate:run', arguments: {'/only': {exists: false}}};
    const hasAll = words({tool: 'git:push', not: {after: {call: whole, of: 'task'}}});
    const runtime = await stage.open(hasAll);
    const context = await runtime.startTask();
    const pushes = async (): Promise<boolean> => (await runtime.executeTool('git:push', {}, context)).success;
    await runtime.executeTool('gate:run', {only: ['format']}, context);
    expect(await pushes()).toBe(false);
    const gate = await runtime.executeTool('gate:run', {fresh: true}, context);
    expect(await pushes()).toBe(true);
    await runtime.evidence.redact(receiptOf(gate), {by: 'ann', reason: 'test'});
    expect(await pushes()).toBe(false);
  });

  test('in doubt about its arguments, a restricting rule matches, and `without` does not lift it', async () => {
    const call: AfterMatcher['call'] = {tool: 'key:read', arguments: {'/name': {equals: 'prod'}}};
    const without: AfterMatcher['call'] = {tool: 'gate:run', arguments: {'/reset': {equals: true}}};
    const runtime = await stage.open(words({tool: 'git:push', after: {call, without, of: 'session'}}));
    const context = await runtime.startTask();
    const pushes = async (): Promise<boolean> => (await runtime.executeTool('git:push', {}, context)).success;
    const read = await runtime.executeTool('key:read', {name: 'test'}, context);
    expect(await pushes()).toBe(true);
    await runtime.evidence.redact(receiptOf(read), {by: 'ann', reason: 'test'});
    expect(await pushes()).toBe(false);
    await runtime.executeTool('gate:run', {reset: false}, context);
    expect(await pushes()).toBe(false);
    const reset = await runtime.executeTool('gate:run', {reset: true}, context);
    expect(await pushes()).toBe(true);
    await runtime.evidence.redact(receiptOf(reset), {by: 'ann', reason: 'test'});
    expect(await pushes()).toBe(false);
  });

  test('calls of another task do not count', async () => {
    const runtime = await stage.open(words(gated));
    await runtime.executeTool('gate:run', {}, await runtime.startTask('t-1'));
    const second = await runtime.startTask('t-2');
    expect((await runtime.executeTool('git:push', {}, second)).error?.code).toBe('POLICY_DENIED');
  });

  test('a gate that failed does not count, and a failed write does', async () => {
    const failing = async () =>
      await Promise.resolve({output: {success: false as const, error: {code: 'TOOL_EXECUTION_FAILED', message: 'x'}}});
    const failed = await stage.open(words(gated, {scripts: {'gate:run': failing}}));
    const context = await failed.startTask();
    await failed.executeTool('gate:run', {}, context);
    expect((await failed.executeTool('git:push', {}, context)).success).toBe(false);
    const runtime = await stage.open(words(gated, {scripts: {'file:write': failing}}));
    await runtime.executeTool('gate:run', {}, context);
    await runtime.executeTool('file:write', {}, context);
    expect((await runtime.executeTool('git:push', {}, context)).success).toBe(false);
  });

  test('what a gate itself writes does not spoil it, and a write beside it does', async () => {
    let finish: (() => void) | undefined;
    const runtime = await stage.open(
      words(gated, {
        scripts: {
          'gate:run': async ({callTool}) => ({output: await callTool('file:write', {})}),
          'work:all': async () => {
            await new Promise<void>((resolve) => (finish = resolve));
            return {output: {success: true}};
          },
        },
      }),
    );
    const context = await runtime.startTask();
    await runtime.executeTool('gate:run', {}, context);
    expect((await runtime.explainTool('git:push', {}, context)).decision).toBe('allow');
    const beside = runtime.executeTool('work:all', {}, context);
    await expect.poll(() => finish).toBeDefined();
    await runtime.executeTool('gate:run', {}, context);
    expect((await runtime.explainTool('git:push', {}, context)).decision).toBe('deny');
    finish?.();
    await beside;
    expect((await runtime.explainTool('git:push', {}, context)).decision).toBe('deny');
    await runtime.executeTool('gate:run', {}, context);
    expect((await runtime.explainTool('git:push', {}, context)).decision).toBe('allow');
  });

  test('a restricting `after` counts calls however they ended, of the session in all its tasks', async () => {
    const when: PolicyMatcher = {
      tool: 'git:push',
      after: {call: {tool: 'key:*'}, without: {tool: 'gate:run'}, of: 'session'},
    };
    const crash = async () => await Promise.reject(new Error('gone'));
    const runtime = await stage.open(words(when, {scripts: {'key:read': crash}}));
    const first = await runtime.startTask('t-1');
    expect((await runtime.executeTool('git:push', {}, first)).success).toBe(true);
    await runtime.executeTool('key:read', {}, first);
    const second = await runtime.startTask('t-2');
    expect((await runtime.executeTool('git:push', {}, second)).success).toBe(false);
    await runtime.executeTool('gate:run', {}, second);
    expect((await runtime.executeTool('git:push', {}, second)).success).toBe(true);
    const other = await runtime.startTask('t-3', {session_id: 's-3'});
    expect((await runtime.executeTool('git:push', {}, other)).success).toBe(true);
    // A program comes after what was done in the session that started it.
    const {session_id: from_session} = second;
    await runtime.executeTool('key:read', {}, second);
    const program = {by: 'ann', surface: 'mcp', file: 'p', text: '', inputs: {}, from_session} as const;
    const started = await runtime.startTask('p-1', {session_id: 'p-1', program});
    expect((await runtime.executeTool('git:push', {}, started)).success).toBe(false);
  });
});

test('a write that another process starts between decision and intent is seen', async () => {
  const stage = createStage(stateKinds[0]!);
  let before: (() => Promise<unknown>) | undefined;
  const evidence = (log: EvidenceStore): EvidenceStore =>
    passThroughEvidence(log, {
      append: async (records, options) => {
        const run = before;
        before = undefined;
        await run?.();
        await log.append(records, options);
      },
    });
  try {
    const [runtime, other] = [await stage.open(words(gated, {evidence})), await stage.open(words(gated))];
    const context = await runtime.startTask();
    await runtime.executeTool('gate:run', {}, context);
    before = async () => await other.executeTool('file:write', {}, context);
    expect((await runtime.executeTool('git:push', {}, context)).error).toMatchObject({
      code: 'POLICY_DENIED',
      details: {rule_id: 'sequence'},
    });
    expect(runtime.dispatcher.requests.map(({tool}) => tool.name)).toEqual(['gate:run']);
  } finally {
    await stage.close();
  }
});
