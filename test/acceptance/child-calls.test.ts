// Calls that tools make: each goes through the whole pipeline with a receipt of its own, and they do not nest for ever.
import type {ToolOutput} from '@lumenflow/schemas';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {examplePack} from '../support/example-pack.ts';
import {createStage, type Stage} from '../support/stage.ts';
import {stateKinds} from '../support/state-home.ts';

describe.each(stateKinds)('state $name', (kind) => {
  let stage: Stage;
  beforeEach(() => {
    stage = createStage(kind);
  });
  afterEach(() => stage.strike());

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

  test('children are bounded by their own scopes, not by those of the parent', async () => {
    const path = (pattern: string, access: 'read' | 'write') => ({type: 'path', pattern, access}) as const;
    const runtime = await stage.open({
      packs: [
        examplePack({
          id: 'p',
          tools: [
            {name: 'p:parent', required_scopes: [path('src/**', 'write')]},
            {name: 'p:child', required_scopes: [path('docs/**', 'read')]},
          ],
        }),
      ],
      scripts: {'p:parent': async ({callTool}) => ({output: await callTool('p:child', {})})},
    });
    await runtime.executeTool('p:parent', {}, await runtime.startTask());
    const [parent, child] = runtime.dispatcher.requests;
    expect(parent?.scope_enforced).toMatchObject({write: ['src/**']});
    expect(child?.scope_enforced).toMatchObject({read: ['docs/**'], write: []});
    expect(child?.grant.allows('src/a', 'read')).toBe(false);
  });
});
