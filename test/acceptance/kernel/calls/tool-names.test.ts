// The names that refusals of unknown and of former tools lead to.
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

  test('names the tool that replaces a former one', async () => {
    const renamed = {'p:old': {tool: 'p:new', input: {fix: true}}};
    const runtime = await stage.open({packs: [examplePack({id: 'p', tools: [{name: 'p:new'}], renamed})]});
    const output = await runtime.executeTool('p:old', {}, await runtime.startTask());
    expect(output.error).toEqual({
      code: 'TOOL_NOT_FOUND',
      message: '`p:old` is now `p:new`: call `p:new` instead, with `fix: true`',
      details: {renamed_to: 'p:new', with: {fix: true}},
    });
    expect(await runtime.evidence.receipt(output.metadata?.receipt_id ?? '')).toMatchObject({
      finished: {result: 'denied', error_message: output.error?.message},
    });
  });

  test('leads an agent from no name to a tool that agents cannot call', async () => {
    const pack = examplePack({
      id: 'p',
      tools: [
        {name: 'p:repair', audience: 'operator'},
        {name: 'p:inner', internal_only: true},
      ],
      renamed: {'p:mend': {tool: 'p:repair', input: {fix: true}}},
    });
    const runtime = await stage.open({packs: [pack]});
    const agent = {...(await runtime.startTask()), surface: 'mcp' as const};
    expect((await runtime.executeTool('p:mend', {}, agent)).error).toMatchObject({
      message: '`p:mend` is now `p:repair`: tool `p:repair` is for operators of the workspace',
      details: {remedy: 'ask a person to run it on the command line, with `fix: true`'},
    });
    for (const misspelt of ['p:repiar', 'p:iner']) {
      expect((await runtime.executeTool(misspelt, {}, agent)).error).toEqual({
        code: 'TOOL_NOT_FOUND',
        message: `there is no tool \`${misspelt}\`: run \`lumenflow tools list\` to see the tools`,
      });
    }
    expect((await runtime.executeTool('p:repiar', {}, {...agent, surface: 'cli'})).error).toMatchObject({
      details: {nearest: 'p:repair'},
    });
  });
});
