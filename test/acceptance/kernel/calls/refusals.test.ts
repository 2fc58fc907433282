// Each way to refuse a call before it runs, in the order of the pipeline, each reported and recorded.
import type {Scope, ToolOutput, WorkspaceSpec} from '@lumenflow/schemas';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {examplePack} from '../../../support/example-pack.ts';
import {createStage, specHash, unwrap, type Stage, type StagedRuntime} from '../../../support/stage.ts';
import {stateKinds} from '../../../support/state-home.ts';
import {toolsOfPacks} from '../../../support/tools-of-packs.ts';

const deny = {id: 'no-secrets', trigger: 'on_tool_request', decision: 'deny', reason: 'secrets stay'} as const;
const everything = {type: 'path', pattern: '**', access: 'write'} as const;

describe.each(stateKinds)('state $name', (kind) => {
  let stage: Stage;
  beforeEach(() => {
    stage = createStage(kind);
  });
  afterEach(() => stage.close());

  /** The refusal's two records have the caller's error, and nothing was dispatched. */
  async function expectRecorded(runtime: StagedRuntime, output: ToolOutput): Promise<void> {
    const receipt = await runtime.evidence.receipt(output.metadata?.receipt_id ?? '');
    expect(receipt?.started).toMatchObject({
      process_id: runtime.processId,
      spec_hash: specHash,
      execution_mode: 'none',
    });
    expect(receipt?.finished).toMatchObject({
      seq: (receipt?.started.seq ?? 0) + 1,
      result: output.error?.code === 'INVALID_INPUT' ? 'invalid' : 'denied',
      error_code: output.error?.code,
      error_message: output.error?.message,
    });
    expect(runtime.dispatcher.requests).toEqual([]);
  }

  test('SPEC_TAMPERED comes before all, and stays', async () => {
    let intact = true;
    const runtime = await stage.open({isIntact: () => intact});
    const context = await runtime.startTask();
    intact = false;
    for (const name of ['files:read', 'no:tool']) {
      const output = await runtime.executeTool(name, 1n, {...context, task_id: '../x'});
      expect(output.error?.code).toBe('SPEC_TAMPERED');
      await expectRecorded(runtime, output);
    }
    const tampered = {success: false, error: {code: 'SPEC_TAMPERED'}};
    expect(await runtime.createTask({id: 'task-2', lane_id: 'core'})).toMatchObject(tampered);
    expect(await runtime.claimTask({task_id: 'task-1', by: 'ann', session_id: 's'})).toMatchObject(tampered);
    expect(await runtime.completeTask({task_id: 'task-1', by: 'ann', session_id: 's'})).toMatchObject(tampered);
    expect(await runtime.listGovernedTools(context)).toEqual([]);
    expect(await runtime.explainTool('files:read', {}, context)).toMatchObject({failure: {code: 'SPEC_TAMPERED'}});
  });

  test('keeps the input of calls that are refused before their input is read', async () => {
    const runtime = await stage.open();
    const context = await runtime.startTask('task-1', {
      declared_scopes: [{type: 'path', pattern: '**', access: 'read'}],
    });
    for (const [name, code, callContext] of [
      ['no:tool', 'TOOL_NOT_FOUND', context],
      ['files:write', 'SCOPE_DENIED', context],
      ['files:read', 'TASK_NOT_ACTIVE', {...context, run_id: 'another'}],
    ] as const) {
      const output = await runtime.executeTool(name, {path: 'src/a.ts'}, callContext);
      expect(output.error?.code).toBe(code);
      const receipt = await runtime.evidence.receipt(output.metadata?.receipt_id ?? '');
      expect(await runtime.evidence.readBlob(receipt?.started.input_ref ?? '')).toBe('{"path":"src/a.ts"}');
    }
  });

  test('TOOL_NOT_FOUND names the nearest tool, before the task is read', async () => {
    const runtime = await stage.open();
    const context = {task_id: 'nobody', run_id: 'r', session_id: 's'};
    const near = await runtime.executeTool('files:raed', {}, context);
    expect(near.error).toEqual({
      code: 'TOOL_NOT_FOUND',
      message: 'there is no tool `files:raed`: did you mean `files:read`?',
      details: {nearest: 'files:read'},
    });
    await expectRecorded(runtime, near);
    const far = await runtime.executeTool('something:else', {}, context);
    expect(far.error?.code).toBe('TOOL_NOT_FOUND');
    expect(far.error?.details).toBeUndefined();
    const none = await runtime.executeTool(7 as unknown as string, {}, context);
    expect(none.error?.code).toBe('TOOL_NOT_FOUND');
    await expectRecorded(runtime, none);
    const long = await runtime.executeTool('x'.repeat(10_000), {}, context);
    expect((await runtime.evidence.receipt(long.metadata?.receipt_id ?? ''))?.started.tool_name).toHaveLength(200);
  });

  test('an internal_only tool answers only other tools', async () => {
    const pack = examplePack({id: 'p', tools: [{name: 'p:inner', internal_only: true}, {name: 'p:outer'}]});
    const runtime = await stage.open({
      packs: [pack],
      scripts: {'p:outer': async (request) => ({output: await request.callTool('p:inner', 'from outer')})},
    });
    const context = await runtime.startTask();
    const outside = await runtime.executeTool('p:inner', {}, context);
    expect(outside.error).toMatchObject({code: 'TOOL_NOT_FOUND', message: expect.stringContaining('internal')});
    await expectRecorded(runtime, outside);
    expect(toolsOfPacks(await runtime.listGovernedTools(context)).map(({tool}) => tool.name)).toEqual(['p:outer']);
    expect(await runtime.executeTool('p:outer', {}, context)).toMatchObject({success: true, data: 'from outer'});
  });

  test('offers agents the tools of the catalogue, and people all tools', async () => {
    const pack = examplePack({
      id: 'p',
      tools: [{name: 'p:daily'}, {name: 'p:rare'}, {name: 'p:repair', audience: 'operator'}],
      catalogue: {default: 'core', sets: {core: ['p:daily', 'p:repair']}},
    });
    const runtime = await stage.open({
      packs: [pack],
      scripts: {'p:daily': async (request) => ({output: await request.callTool('p:rare', {})})},
    });
    const own = await runtime.startTask();
    for (const surface of ['agent', 'http', 'mcp'] as const) {
      const context = {...own, surface};
      expect(toolsOfPacks(await runtime.listGovernedTools(context)).map(({tool}) => tool.name)).toEqual(['p:daily']);
      const rare = await runtime.executeTool('p:rare', {}, context);
      expect(rare.error).toEqual({
        code: 'TOOL_NOT_FOUND',
        message: 'tool `p:rare` is not in the catalogue of this workspace',
        details: {remedy: "add it to `p.tools` in workspace.yaml, for example `tools: [core, 'p:rare']`"},
      });
      await expectRecorded(runtime, rare);
      const repair = await runtime.executeTool('p:repair', {}, context);
      expect(repair.error).toMatchObject({code: 'TOOL_NOT_FOUND', message: expect.stringContaining('operators')});
    }
    expect((await runtime.executeTool('p:repair', {}, {...own, surface: 'http', is_operator: true})).success).toBe(
      true,
    );
    for (const surface of ['api', 'cli'] as const) {
      expect((await runtime.executeTool('p:rare', {}, {...own, surface})).success).toBe(true);
    }
    expect((await runtime.executeTool('p:daily', {}, {...own, surface: 'mcp'})).success).toBe(true);
  });

  test('unknown-task, done-task, other-session: TASK_NOT_ACTIVE for a task that is unknown, ready, blocked, done, of another run or session', async () => {
    const runtime = await stage.open();
    const call = async (change: object, state: string): Promise<void> => {
      const output = await runtime.executeTool('files:read', {}, {...context, ...change});
      expect(output.error).toMatchObject({code: 'TASK_NOT_ACTIVE', details: {state}});
      await expectRecorded(runtime, output);
    };
    const context = await runtime.startTask();
    await runtime.createTask({id: 'task-2', lane_id: 'core'});
    await call({task_id: 'task-3'}, 'missing');
    await call({task_id: 'task-2'}, 'ready');
    await call({session_id: 'session-2'}, 'active');
    await call({run_id: 'run-of-another'}, 'active');
    await runtime.blockTask({task_id: 'task-1', session_id: 'session-1', reason: 'waits'});
    await call({}, 'blocked');
    await runtime.unblockTask({task_id: 'task-1', session_id: 'session-1'});
    await runtime.completeTask({task_id: 'task-1', by: 'agent', session_id: 'session-1'});
    await call({}, 'done');
  });

  test.each(['../../etc', 'a/b', 'a\0b', '', '.hidden', 'x'.repeat(129), 'tаsk-1', 'task-1\n', 7, null])(
    'TASK_NOT_ACTIVE for an id that is none: %j',
    async (id) => {
      const runtime = await stage.open();
      const context = await runtime.startTask();
      for (const key of ['task_id', 'run_id', 'session_id']) {
        const output = await runtime.executeTool('files:read', {}, {...context, [key]: id});
        expect(output.error).toMatchObject({code: 'TASK_NOT_ACTIVE', details: {key}});
        await expectRecorded(runtime, output);
      }
    },
  );

  test.each([null, undefined, 'task-1', 7, []])('TASK_NOT_ACTIVE for the context %j, and a record', async (context) => {
    const runtime = await stage.open();
    const output = await runtime.executeTool('files:read', {}, context as never);
    expect(output.error).toMatchObject({code: 'TASK_NOT_ACTIVE', details: {key: 'task_id'}});
    await expectRecorded(runtime, output);
  });

  test('SPEC_TAMPERED when the task spec is not the one that was created', async () => {
    const runtime = await stage.open();
    const context = await runtime.startTask();
    stage.home.tamperWithTask('task-1');
    const restarted = await stage.open();
    const output = await restarted.executeTool('files:read', {}, context);
    expect(output.error).toMatchObject({code: 'SPEC_TAMPERED', details: {task_id: 'task-1'}});
    await expectRecorded(restarted, output);
    const changed = {success: false, error: {code: 'TASK_SPEC_CHANGED'}};
    expect(await restarted.inspectTask('task-1')).toMatchObject(changed);
    const completion = {task_id: 'task-1', by: 'agent', session_id: 'session-1'};
    expect(await restarted.completeTask(completion)).toMatchObject(changed);
  });

  const source: Scope = {...everything, pattern: 'src/**'};
  const narrow: readonly [string, Partial<WorkspaceSpec>, string][] = [
    ['workspace', {security: {allowed_scopes: [source]}}, 'workspace.yaml#/security/allowed_scopes/0'],
    ['lane', {lanes: [{id: 'core', allowed_scopes: [source]}]}, 'workspace.yaml#/lanes/0/allowed_scopes/0'],
  ];
  test.each(narrow)('SCOPE_DENIED names the %s that leaves nothing, and where', async (layer, workspace, where) => {
    const pack = examplePack({
      id: 'docs',
      tools: [{name: 'docs:read', required_scopes: [{type: 'path', pattern: 'docs/**', access: 'read'}]}],
    });
    const runtime = await stage.open({packs: [pack], workspace});
    const output = await runtime.executeTool('docs:read', 1n, await runtime.startTask());
    expect(output.error).toMatchObject({code: 'SCOPE_DENIED', details: {layer, where, access: 'read'}});
    await expectRecorded(runtime, output);
  });

  test('SCOPE_DENIED by the task, by the reserved path, and for one of several scopes', async () => {
    const tool = (name: string, ...required: readonly (readonly ['read' | 'write', string])[]): object => ({
      name,
      required_scopes: required.map(([access, pattern]) => ({type: 'path', pattern, access})),
    });
    const tools = [
      tool('p:part', ['read', 'docs/**'], ['write', 'src/**']),
      tool('p:state', ['read', '.lumenflow/**']),
      tool('p:env', ['read', '.env']),
      {name: 'p:net', required_scopes: [{type: 'network', posture: 'allowlist', allowlist_entries: ['a.example:443']}]},
    ];
    const runtime = await stage.open({packs: [examplePack({id: 'p', tools: tools as never})]});
    const context = await runtime.startTask('task-1', {
      declared_scopes: [{type: 'path', pattern: '**', access: 'read'}],
    });
    const denied = async (name: string): Promise<unknown> => {
      const output = await runtime.executeTool(name, {}, context);
      expect(output.error?.code).toBe('SCOPE_DENIED');
      await expectRecorded(runtime, output);
      const receipt = await runtime.evidence.receipt(output.metadata?.receipt_id ?? '');
      expect(receipt?.finished?.policy_decisions).toMatchObject([
        {layer: 'kernel', decision: 'deny', rule_id: output.error?.details?.['rule_id']},
      ]);
      return output.error?.details;
    };
    expect(await denied('p:part')).toMatchObject({
      layer: 'task',
      access: 'write',
      where: 'task task-1/declared_scopes/0',
    });
    expect(await denied('p:state')).toMatchObject({rule_id: 'kernel.scope.reserved-path'});
    expect(await denied('p:env')).toMatchObject({layer: 'tool', rule_id: 'kernel.scope.reserved-path'});
    expect(await denied('p:net')).toMatchObject({layer: 'workspace', access: 'network'});
  });

  test('INVALID_INPUT for what JSON cannot contain comes before policy, for the schema after it', async () => {
    const runtime = await stage.open({
      workspace: {
        policies: {default_decision: 'allow', rules: [{...deny, when: {arguments: {'/path': {glob: 'secrets/**'}}}}]},
      },
    });
    const context = await runtime.startTask();
    const code = async (input: unknown): Promise<string | undefined> => {
      const output = await runtime.executeTool('files:write', input, context);
      await expectRecorded(runtime, output);
      return output.error?.code;
    };
    expect(await code({path: 'secrets/key', odd: 1n})).toBe('INVALID_INPUT');
    expect(await code({path: 'secrets/key', missing: undefined})).toBe('INVALID_INPUT');
    expect(await code('secrets/key')).toBe('INVALID_INPUT');
    expect(await code({path: 'secrets/key'})).toBe('POLICY_DENIED');
    const output = await runtime.executeTool('files:write', {path: 7}, context);
    expect(output.error).toMatchObject({code: 'INVALID_INPUT', details: {issues: [{pointer: '/path'}]}});
    await expectRecorded(runtime, output);
  });

  test('POLICY_DENIED names rule, layer and place, and is recorded with all decisions', async () => {
    const runtime = await stage.open({workspace: {policies: {default_decision: 'allow', rules: [deny]}}});
    const output = await runtime.executeTool('files:read', {}, await runtime.startTask());
    expect(output.error).toEqual({
      code: 'POLICY_DENIED',
      message: 'policy denies `files:read`: secrets stay',
      details: {rule_id: 'no-secrets', layer: 'workspace', where: 'workspace.yaml#/policies/rules/0'},
    });
    await expectRecorded(runtime, output);
    const receipt = await runtime.evidence.receipt(output.metadata?.receipt_id ?? '');
    expect(receipt?.started.policy_decisions.map(({rule_id}) => rule_id)).toEqual(['workspace.default', 'no-secrets']);
  });

  test('where no layer says anything, a call is denied', async () => {
    const runtime = await stage.open({workspace: {policies: {}}});
    unwrap(await runtime.createTask({id: 'task-1', lane_id: 'core'}));
    const {run_id} = unwrap(await runtime.claimTask({task_id: 'task-1', by: 'ann', session_id: 's'}));
    const context = {task_id: 'task-1', run_id, session_id: 's'};
    expect(await runtime.executeTool('files:read', {path: 'docs/a.md'}, context)).toMatchObject({
      error: {code: 'POLICY_DENIED', details: {rule_id: 'kernel.policy.no-default'}},
    });
  });
});
