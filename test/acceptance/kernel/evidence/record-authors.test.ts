// Whose word a record is: every start names a principal and a surface, and a nested call is its caller's.
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {createStage, type Stage} from '../../../support/stage.ts';
import {stateKinds} from '../../../support/state-home.ts';

describe.each(stateKinds)('state $name', (kind) => {
  let stage: Stage;
  beforeEach(() => {
    stage = createStage(kind);
  });
  afterEach(() => stage.close());

  test('the given author counts, else the session that claimed the task; calls of tools have their caller’s', async () => {
    const runtime = await stage.open({
      scripts: {'files:write': async ({callTool}) => ({output: await callTool('files:read', {})})},
    });
    const context = await runtime.startTask();
    await runtime.executeTool('files:read', {}, context);
    await runtime.executeTool('files:write', {}, {...context, by: 'mallory', surface: 'cli'});
    await runtime.executeTool('files:read', {}, {...context, by: 'not a "name"', task_id: 'task-9'});
    const {receipts} = await runtime.evidence.readTraces();
    expect(receipts.map(({started: {tool_name, by, surface}}) => `${tool_name} ${by} ${surface}`)).toEqual([
      'files:read unknown api',
      'files:read mallory cli',
      'files:write mallory cli',
      'files:read agent api',
    ]);
    expect((await runtime.evidence.readTraces({by: 'mallory'})).receipts).toHaveLength(2);
    expect((await runtime.evidence.readTraces({by: 'agent', tool_name: 'files:read'})).receipts).toHaveLength(1);
  });

  test('whoever called in another’s task is a requester, so neither may answer', async () => {
    const runtime = await stage.open({
      workspace: {
        policies: {
          default_decision: 'allow',
          rules: [{id: 'ask', trigger: 'on_tool_request', decision: 'approval_required'}],
        },
      },
    });
    const context = await runtime.startTask();
    const {error} = await runtime.executeTool('files:read', {}, {...context, by: 'mallory', surface: 'cli'});
    const request_id = String(error?.details?.['request_id']);
    for (const approved_by of ['mallory', 'agent']) {
      expect(await runtime.resolveApproval({request_id, approved: true, approved_by})).toMatchObject({
        error: {code: 'SELF_APPROVAL'},
      });
    }
    expect(await runtime.resolveApproval({request_id, approved: true, approved_by: 'olga'})).toMatchObject({
      success: true,
    });
  });
});
