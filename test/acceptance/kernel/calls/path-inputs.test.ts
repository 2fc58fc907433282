// One path, however it is written: rules, evidence and handler see the same text.
import {array, assert, asyncProperty, constantFrom} from 'fast-check';
import type {PolicyRule, ToolOutput} from '@lumenflow/schemas';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {examplePack} from '../../../support/example-pack.ts';
import {createStage, type Stage, type StagedRuntime} from '../../../support/stage.ts';
import {stateKinds} from '../../../support/state-home.ts';

const everything = {type: 'path', pattern: '**', access: 'write'} as const;
const path = {type: 'string', format: 'workspace-path'};

const pack = examplePack({
  id: 'edit',
  tools: [
    {
      name: 'edit:write',
      permission: 'write',
      required_scopes: [everything],
      input_schema: {type: 'object', properties: {path, also: {type: 'array', items: path}}},
    },
  ],
});

const infra: PolicyRule = {
  id: 'infra',
  trigger: 'on_tool_request',
  decision: 'deny',
  when: {arguments: {'/path': {glob: 'infra/**'}}},
};

describe.each(stateKinds)('state $name', (kind) => {
  let stage: Stage;
  let runtime: StagedRuntime;
  beforeEach(async () => {
    stage = createStage(kind);
    runtime = await stage.open({packs: [pack], workspace: {policies: {default_decision: 'allow', rules: [infra]}}});
  });
  afterEach(() => stage.close());

  /** What is kept as the call's input. */
  async function keptInput(output: ToolOutput): Promise<unknown> {
    const receipt = await runtime.evidence.receipt(output.metadata?.receipt_id ?? '');
    const text = await runtime.evidence.readBlob(receipt?.started.input_ref ?? '');
    return JSON.parse(text ?? 'null');
  }

  test('handler and evidence see canonical paths', async () => {
    const context = await runtime.startTask();
    const output = await runtime.executeTool('edit:write', {path: './src//a/../b/', also: ['x/.', 'y']}, context);
    expect(output.success).toBe(true);
    expect(runtime.dispatcher.requests[0]?.input).toEqual({path: 'src/b', also: ['x', 'y']});
    expect(await keptInput(output)).toEqual({path: 'src/b', also: ['x', 'y']});
  });

  test('what cannot be a workspace path is INVALID_INPUT, and what was asked for is kept', async () => {
    const context = await runtime.startTask();
    const input = {path: 'src/a', also: ['../b', '../../etc/passwd']};
    const output = await runtime.executeTool('edit:write', input, context);
    const problem = 'is not a path in the workspace: it leads outside the workspace';
    expect(output.error).toMatchObject({
      code: 'INVALID_INPUT',
      message: `the input of \`edit:write\` is not valid: /also/0 ${problem}; /also/1 ${problem}`,
      details: {pointer: '/also/0'},
    });
    expect(await keptInput(output)).toEqual(input);
    expect(runtime.dispatcher.requests).toEqual([]);
    expect(await runtime.explainTool('edit:write', input, context)).toMatchObject({
      decision: 'deny',
      failure: {code: 'INVALID_INPUT'},
    });
  });

  test('an approval of one way to write a path covers all', async () => {
    const rules: PolicyRule[] = [{...infra, decision: 'approval_required', self_approval: true}];
    const asks = await stage.open({packs: [pack], workspace: {policies: {default_decision: 'allow', rules}}});
    const context = await asks.startTask('task-2');
    const first = await asks.executeTool('edit:write', {path: './infra/a.tf'}, context);
    const request_id = String(first.error?.details?.['request_id']);
    await asks.resolveApproval({request_id, approved: true, approved_by: 'bob'});
    expect((await asks.executeTool('edit:write', {path: 'src/../infra//a.tf'}, context)).success).toBe(true);
  });

  test('random ways to write one path never change a decision, and explaining agrees with calling', async () => {
    const context = await runtime.startTask();
    const noise = array(constantFrom('./', '/', 'x/../', 'infra/../', './/'), {maxLength: 3});
    const target = constantFrom('infra/a.tf', 'src/a.ts', 'infra', 'infra.tf');
    await assert(
      asyncProperty(target, noise, noise, constantFrom('', '/', '/.', '//'), async (said, before, between, after) => {
        const [first = '', ...rest] = said.split('/');
        const spelling = before.join('').replace(/^\/+/u, '') + [first, ...rest].join(`/${between.join('')}`) + after;
        const plain = await runtime.explainTool('edit:write', {path: said}, context);
        const explained = await runtime.explainTool('edit:write', {path: spelling}, context);
        const called = await runtime.executeTool('edit:write', {path: spelling}, context);
        expect(explained.decision).toBe(plain.decision);
        expect(called.success).toBe(plain.decision === 'allow');
      }),
      {numRuns: 30},
    );
  });
});
