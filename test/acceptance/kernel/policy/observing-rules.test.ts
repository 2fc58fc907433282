// Rules with `mode: observe` change nothing, and the records contain what they would have led to.
import type {PolicyRule} from '@lumenflow/schemas';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {createStage, type Stage} from '../../../support/stage.ts';
import {stateKinds} from '../../../support/state-home.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage(stateKinds[0]!);
});
afterEach(() => stage.close());

const open = (...rules: PolicyRule[]) => stage.open({workspace: {policies: {default_decision: 'allow', rules}}});
const observing: PolicyRule = {
  id: 'no-writes',
  trigger: 'on_tool_request',
  decision: 'deny',
  mode: 'observe',
  when: {tool: 'files:write'},
};

test('a call that an observing rule matches runs, and its record contains the decision that there would have been', async () => {
  const runtime = await open(observing);
  const context = await runtime.startTask();
  expect((await runtime.executeTool('files:write', {}, context)).success).toBe(true);
  expect((await runtime.executeTool('files:read', {}, context)).success).toBe(true);
  const {receipts} = await runtime.evidence.readTraces();
  expect(receipts.map(({started}) => started.observed)).toEqual([
    undefined,
    {decision: 'deny', rules: [expect.objectContaining({rule_id: 'no-writes', decision: 'deny'})]},
  ]);
  expect(receipts.flatMap(({started}) => started.policy_decisions).map(({rule_id}) => rule_id)).not.toContain(
    'no-writes',
  );
  expect(await runtime.explainTool('files:write', {}, context)).toMatchObject({
    decision: 'allow',
    policy: {observed: {decision: 'deny'}},
  });
});

test('what another rule denies would have been denied', async () => {
  const runtime = await open(
    {...observing, decision: 'approval_required'},
    {
      id: 'nobody-writes',
      trigger: 'on_tool_request',
      decision: 'deny',
      when: {tool: 'files:write'},
    },
  );
  const context = await runtime.startTask();
  expect((await runtime.executeTool('files:write', {}, context)).error?.code).toBe('POLICY_DENIED');
  const [receipt] = (await runtime.evidence.readTraces()).receipts;
  expect(receipt?.started.observed?.decision).toBe('deny');
});

test('a claim records what an observing rule would have led to', async () => {
  const runtime = await open({...observing, trigger: 'on_claim', when: {lane: 'core'}});
  await runtime.startTask();
  const [claimed] = (await runtime.events.read({})).filter(({type}) => type === 'task_claimed');
  expect(claimed).toMatchObject({observed: {decision: 'deny', rules: [{rule_id: 'no-writes'}]}});
});
