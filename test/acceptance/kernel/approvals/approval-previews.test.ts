// A preview binds what a call would do into its approval: shown to the person, checked again at use, and requested again when
// it differs.
import type {ExecutionContext} from '@lumenflow/kernel';
import type {PolicyRule, ToolOutput} from '@lumenflow/schemas';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {examplePack} from '../../../support/example-pack.ts';
import {createStage, unwrap, type Stage, type StagedRuntime} from '../../../support/stage.ts';
import {stateKinds} from '../../../support/state-home.ts';

const ask: PolicyRule = {
  id: 'ask',
  trigger: 'on_tool_request',
  decision: 'approval_required',
  when: {tool: 'repo:*'},
};
const repo = examplePack({
  id: 'repo',
  tools: [
    {
      name: 'repo:commit',
      permission: 'write',
      preview: 'repo:preview-commit',
      input_schema: {
        type: 'object',
        properties: {message: {type: 'string'}},
        required: ['message'],
      },
    },
    {name: 'repo:preview-commit', internal_only: true},
  ],
});

describe.each(stateKinds)('state $name', (kind) => {
  let stage: Stage;
  let runtime: StagedRuntime;
  let context: ExecutionContext;
  let staged: string;
  let committed: string[];
  let outcome: ToolOutput | undefined;
  beforeEach(async () => {
    stage = createStage(kind);
    staged = 'good';
    committed = [];
    outcome = undefined;
    runtime = await open();
    context = await runtime.startTask();
  });
  afterEach(() => stage.close());

  const open = async (rules: readonly PolicyRule[] = [ask]): Promise<StagedRuntime> =>
    await stage.open({
      packs: [repo],
      workspace: {policies: {default_decision: 'allow', rules: [...rules]}},
      scripts: {
        'repo:preview-commit': () => ({
          output: outcome ?? {success: true, data: {diff: staged}},
        }),
        'repo:commit': () => {
          committed.push(staged);
          return {output: {success: true, data: {}}};
        },
      },
    });
  const commit = (input: unknown = {message: 'm'}): Promise<ToolOutput> =>
    runtime.executeTool('repo:commit', input, context);
  const request = async (): Promise<string> => {
    const {error} = await commit();
    expect(error?.code).toBe('APPROVAL_REQUIRED');
    return String(error?.details?.['request_id']);
  };
  const approve = async (request_id: string) =>
    await runtime.resolveApproval({request_id, approved: true, approved_by: 'ann'});

  test('the request keeps what the preview reported, and binds its digest', async () => {
    const request_id = await request();
    const [approval] = runtime.listApprovals();
    expect(approval).toMatchObject({
      request_id,
      preview: {tool_name: 'repo:preview-commit', receipt_id: expect.stringMatching(/^rcp-/)},
      subject: {
        tool_name: 'repo:commit',
        preview_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    });
    expect(await runtime.evidence.readBlob(approval?.preview?.ref ?? '')).toBe('{"diff":"good"}');
    const previewed = await runtime.evidence.receipt(approval?.preview?.receipt_id ?? '');
    expect(previewed).toMatchObject({
      started: {
        tool_name: 'repo:preview-commit',
        preview_of: 'repo:commit',
        policy_decisions: [{}, {rule_id: 'ask'}],
      },
      finished: {result: 'success', output_hash: approval?.subject.preview_digest},
    });
    const asked = await runtime.evidence.receipt(previewed?.started.parent_receipt_id ?? '');
    expect(asked).toMatchObject({
      started: {tool_name: 'repo:commit'},
      finished: {error_code: 'APPROVAL_REQUIRED'},
    });
  });

  test('the same call that would do the same passes once; its preview is asked again at use', async () => {
    const request_id = await request();
    expect(await request()).toBe(request_id);
    unwrap(await approve(request_id));
    expect((await commit()).success).toBe(true);
    expect(committed).toEqual(['good']);
    expect(runtime.dispatcher.requests.map(({tool}) => tool.name)).toEqual([
      'repo:preview-commit',
      'repo:preview-commit',
      'repo:preview-commit',
      'repo:commit',
    ]);
  });

  test('the same call with another effect needs a new approval, and the earlier approval does not apply', async () => {
    const first = await request();
    unwrap(await approve(first));
    staged = 'EVIL';
    const second = await request();
    expect(second).not.toBe(first);
    expect(committed).toEqual([]);
    expect(runtime.listApprovals()).toMatchObject([
      {
        request_id: first,
        state: 'withdrawn',
        superseded_by: second,
        withdrawn_reason: 'what the call would do has changed',
      },
      {request_id: second, state: 'pending'},
    ]);
    expect(await approve(first)).toMatchObject({
      error: {
        code: 'APPROVAL_WITHDRAWN',
        message: expect.stringContaining(`answer \`${second}\` instead`),
      },
    });
    // Back to the first effect: its approval was withdrawn nevertheless.
    staged = 'good';
    expect([first, second]).not.toContain(await request());
  });

  test('a pending request is superseded too, and a rejected one stays rejected', async () => {
    const first = await request();
    staged = 'better';
    const second = await request();
    expect(runtime.listApprovals({state: 'pending'})).toMatchObject([{request_id: second}]);
    expect(await approve(first)).toMatchObject({
      error: {code: 'APPROVAL_WITHDRAWN'},
    });
    unwrap(await runtime.resolveApproval({request_id: second, approved: false, approved_by: 'ann'}));
    expect((await commit()).error?.code).toBe('POLICY_DENIED');
  });

  test('a failed preview refuses the call with its reason, and no approval is requested', async () => {
    outcome = {
      success: false,
      error: {
        code: 'NOTHING_STAGED',
        message: 'nothing is staged',
        details: {hint: 'add'},
      },
    };
    expect((await commit()).error).toMatchObject({
      code: 'PREVIEW_FAILED',
      message: expect.stringContaining('nothing is staged'),
      details: {cause: 'NOTHING_STAGED', hint: 'add', tool_name: 'repo:preview-commit'},
    });
    expect(runtime.listApprovals()).toEqual([]);
  });

  test('a call cancelled during its preview is recorded as cancelled, and no approval is requested', async () => {
    outcome = {success: false, error: {code: 'TOOL_CANCELLED', message: 'the call was cancelled'}};
    expect((await commit()).error).toMatchObject({code: 'TOOL_CANCELLED', message: 'the call was cancelled'});
    expect(runtime.listApprovals()).toEqual([]);
  });

  test('input that breaks the schema is refused before a person is asked; a deny still comes first', async () => {
    expect((await commit({})).error?.code).toBe('INVALID_INPUT');
    expect(runtime.listApprovals()).toEqual([]);
    expect(runtime.dispatcher.requests).toEqual([]);
    const never: PolicyRule = {...ask, id: 'never', decision: 'deny'};
    const strict = await open([never]);
    expect((await strict.executeTool('repo:commit', {}, context)).error?.code).toBe('POLICY_DENIED');
  });

  test('a call without an approval rule is not previewed, and only the kernel calls an internal preview', async () => {
    const free = await open([]);
    expect((await free.executeTool('repo:commit', {message: 'm'}, context)).success).toBe(true);
    expect(free.dispatcher.requests.map(({tool}) => tool.name)).toEqual(['repo:commit']);
    expect((await free.executeTool('repo:preview-commit', {}, context)).error?.code).toBe('TOOL_NOT_FOUND');
  });
});
