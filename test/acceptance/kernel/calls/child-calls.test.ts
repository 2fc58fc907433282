// Calls that tools make: each goes through the whole pipeline with its own receipt, and the depth of nesting is limited.
import type {PolicyMatcher, PolicyRule, ToolDeclaration, ToolOutput} from '@lumenflow/schemas';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {examplePack} from '../../../support/example-pack.ts';
import {createStage, type Stage} from '../../../support/stage.ts';
import {stateKinds} from '../../../support/state-home.ts';

describe.each(stateKinds)('state $name', (kind) => {
  let stage: Stage;
  beforeEach(() => {
    stage = createStage(kind);
  });
  afterEach(() => stage.close());

  test('a child has its own receipt, which names its parent, and its own decision', async () => {
    const children: ToolOutput[] = [];
    const pack = examplePack({
      id: 'p',
      tools: [{name: 'p:parent'}, {name: 'p:child'}, {name: 'p:denied'}],
      rules: [{id: 'no', trigger: 'on_tool_request', decision: 'deny', when: {tool: 'p:denied'}}],
    });
    const runtime = await stage.open({
      packs: [pack],
      scripts: {
        async 'p:parent'({callTool}) {
          children.push(await callTool('p:child', {n: 1}), await callTool('p:denied', {}));
          return {output: {success: true, data: children.length}};
        },
      },
    });
    const context = await runtime.startTask();
    const parent = await runtime.executeTool('p:parent', {}, context);
    expect(parent).toMatchObject({success: true, data: 2});
    expect(children).toMatchObject([
      {success: true, data: {n: 1}},
      {success: false, error: {code: 'POLICY_DENIED'}},
    ]);
    const parentId = parent.metadata?.receipt_id;
    for (const child of children) {
      const receipt = await runtime.evidence.receipt(child.metadata?.receipt_id ?? '');
      expect(receipt?.started).toMatchObject({parent_receipt_id: parentId, ...context});
      expect(receipt?.finished).toBeDefined();
    }
    expect((await runtime.evidence.receipt(parentId ?? ''))?.started.parent_receipt_id).toBeUndefined();
    expect(runtime.dispatcher.requests.map(({depth}) => depth)).toEqual([0, 1]);
  });

  test('a tool that calls itself is stopped at the eighth level, and the refusal is recorded', async () => {
    const runtime = await stage.open({
      packs: [examplePack({id: 'p', tools: [{name: 'p:loop'}]})],
      scripts: {'p:loop': async ({callTool, input}) => ({output: await callTool('p:loop', input)})},
    });
    const output = await runtime.executeTool('p:loop', {}, await runtime.startTask());
    expect(output.error).toMatchObject({code: 'LIMIT_EXCEEDED', details: {depth_max: 8}});
    expect(runtime.dispatcher.requests).toHaveLength(8);
    const {receipts} = await runtime.evidence.readTracesByTaskId('task-1');
    expect(receipts).toHaveLength(9);
    expect(receipts[0]?.finished).toMatchObject({result: 'denied', error_code: 'LIMIT_EXCEEDED'});
    expect(receipts.slice(0, 8).map(({started}) => started.parent_receipt_id)).toEqual(
      receipts.slice(1).map(({receipt_id}) => receipt_id),
    );
  });

  test('a child is refused once the task is no longer active', async () => {
    const runtime = await stage.open({
      packs: [examplePack({id: 'p', tools: [{name: 'p:parent'}, {name: 'p:child'}]})],
      scripts: {
        async 'p:parent'({callTool}) {
          await runtime.releaseTask({task_id: 'task-1', session_id: 'session-1', reason: 'enough'});
          return {output: await callTool('p:child', {})};
        },
      },
    });
    const output = await runtime.executeTool('p:parent', {}, await runtime.startTask());
    expect(output.error?.code).toBe('TASK_NOT_ACTIVE');
  });

  describe('a nested call', () => {
    const path = (pattern: string, access: 'read' | 'write') => ({type: 'path', pattern, access}) as const;
    const calls = async ({callTool}: {callTool: (name: string, input: unknown) => Promise<ToolOutput>}) => ({
      output: await callTool('p:child', {}),
    });
    const open = (parent: Partial<ToolDeclaration>, child: Partial<ToolDeclaration>, rules: PolicyRule[] = []) =>
      stage.open({
        packs: [
          examplePack({
            id: 'p',
            tools: [
              {name: 'p:outer', required_scopes: [path('src/a/**', 'write')]},
              {name: 'p:parent', ...parent},
              {name: 'p:child', ...child},
            ],
          }),
        ],
        workspace: {policies: {default_decision: 'allow', rules}},
        scripts: {
          'p:outer': async ({callTool}) => ({output: await callTool('p:parent', {})}),
          'p:parent': calls,
        },
      });

    test('gets no more than the call that makes it', async () => {
      const runtime = await open(
        {required_scopes: [path('src/**', 'write'), path('docs/**', 'read')]},
        {required_scopes: [path('**', 'write')]},
      );
      await runtime.executeTool('p:parent', {}, await runtime.startTask());
      const [, child] = runtime.dispatcher.requests;
      expect(child?.scope_enforced).toMatchObject({read: ['docs/**', 'src/**'], write: ['src/**']});
      expect(child?.grant.whyNot('docs/a', 'write')).toMatchObject({
        layer: 'caller',
        where: 'p/manifest.yaml#/tools/1',
      });
    });

    test('is denied what its caller was not granted, and the denial names the caller', async () => {
      const runtime = await open(
        {required_scopes: [path('src/**', 'write')]},
        {required_scopes: [path('docs/**', 'write')]},
      );
      const output = await runtime.executeTool('p:parent', {}, await runtime.startTask());
      expect(output.error).toMatchObject({code: 'SCOPE_DENIED', details: {layer: 'caller', access: 'write'}});
      expect(runtime.dispatcher.requests).toHaveLength(1);
    });

    test('reaches further where the manifest of its caller says so, but never beyond the callers further out', async () => {
      const runtime = await open(
        {
          required_scopes: [path('src/**', 'write')],
          calls: [{tool: 'p:child', scopes: [path('docs/**', 'read')]}],
        },
        {required_scopes: [path('{docs,src,lib}/**', 'read')]},
      );
      const context = await runtime.startTask();
      await runtime.executeTool('p:parent', {}, context);
      expect(runtime.dispatcher.requests[1]?.scope_enforced).toMatchObject({read: ['docs/**', 'src/**'], write: []});
      await runtime.executeTool('p:outer', {}, context);
      expect(runtime.dispatcher.requests[4]?.scope_enforced).toMatchObject({read: ['src/a/**'], write: []});
      // And again by the shorter way: grants are kept apart by their callers.
      await runtime.executeTool('p:parent', {}, context);
      expect(runtime.dispatcher.requests[6]?.scope_enforced).toMatchObject({read: ['docs/**', 'src/**']});
      await runtime.executeTool('p:child', {}, context);
      expect(runtime.dispatcher.requests[7]?.scope_enforced).toMatchObject({read: ['docs/**', 'lib/**', 'src/**']});
    });

    test('is matched by rules on its caller', async () => {
      const rule = (id: string, caller: NonNullable<PolicyMatcher['caller']>): PolicyRule => ({
        id,
        trigger: 'on_tool_request',
        decision: 'deny',
        when: {tool: 'p:child', caller},
      });
      const context = {task_id: 'task-1', run_id: '', session_id: 'session-1'};
      const codes = async (caller: NonNullable<PolicyMatcher['caller']>) => {
        const scopes = {required_scopes: [path('**', 'read')]};
        const runtime = await open(scopes, scopes, [rule('r', caller)]);
        const active = {
          ...context,
          ...(await runtime.startTask(`task-${JSON.stringify(caller).replaceAll(/\W/gu, '')}`)),
        };
        const made = ['p:child', 'p:parent', 'p:outer'].map((name) => runtime.executeTool(name, {}, active));
        return (await Promise.all(made)).map(({error}) => error?.code ?? 'ok');
      };
      expect(await codes({tool: 'p:parent'})).toEqual(['ok', 'POLICY_DENIED', 'POLICY_DENIED']);
      expect(await codes({pack: 'p*', depth: {gte: 2}})).toEqual(['ok', 'ok', 'POLICY_DENIED']);
      expect(await codes({tool: 'x:*'})).toEqual(['ok', 'ok', 'ok']);
    });

    test('is linked with its caller both ways, refused or not', async () => {
      const runtime = await open({}, {}, [
        {id: 'r', trigger: 'on_tool_request', decision: 'deny', when: {tool: 'p:child', caller: {depth: {gte: 2}}}},
      ]);
      const context = await runtime.startTask();
      for (const name of ['p:parent', 'p:outer']) {
        const {metadata} = await runtime.executeTool(name, {}, context);
        const parent = await runtime.evidence.receipt(metadata?.receipt_id ?? '');
        const [childId = ''] = parent?.finished?.child_receipt_ids ?? [];
        expect((await runtime.evidence.receipt(childId))?.started.parent_receipt_id).toBe(parent?.receipt_id);
      }
      const plain = await runtime.executeTool('p:child', {}, context);
      const receipt = await runtime.evidence.receipt(plain.metadata?.receipt_id ?? '');
      expect(receipt?.finished).not.toHaveProperty('child_receipt_ids');
    });
  });
});
