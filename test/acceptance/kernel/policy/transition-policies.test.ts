// Policy over claims and completions, with the task's evidence at hand, and what follows when evidence is added.
import type {FactoryRule, PolicyRule, PolicyTrigger, TaskEvidence, WorkspaceSpec} from '@lumenflow/schemas';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {examplePack} from '../../../support/example-pack.ts';
import {createStage, filesPack, unwrap, type Stage} from '../../../support/stage.ts';
import {stateKinds} from '../../../support/state-home.ts';

const holder = {task_id: 'task-1', by: 'agent', session_id: 'session-1'};

function policies(...rules: PolicyRule[]): Partial<WorkspaceSpec> {
  return {policies: {default_decision: 'allow', rules}};
}

function onlyOne<T>(values: readonly T[]): T {
  const [first, ...others] = values;
  if (first === undefined || others.length > 0) throw new Error(`expected one, not ${values.length}`);
  return first;
}

describe.each(stateKinds)('state $name', (kind) => {
  let stage: Stage;
  beforeEach(() => {
    stage = createStage(kind);
  });
  afterEach(() => stage.close());

  test.each([
    ['on_claim', 'claim'],
    ['on_completion', 'completion'],
  ] as const)('a rule %s denies with its reason, layer and place', async (trigger, kindOf) => {
    const runtime = await stage.open({workspace: policies({id: 'no', trigger, decision: 'deny', reason: 'not today'})});
    unwrap(await runtime.createTask({id: 'task-1', lane_id: 'core'}));
    const claim = await runtime.claimTask(holder);
    const result = trigger === 'on_claim' ? claim : await runtime.completeTask(holder);
    expect(result).toMatchObject({
      success: false,
      error: {
        code: 'POLICY_DENIED',
        message: `policy denies the ${kindOf} of task \`task-1\`: not today`,
        details: {rule_id: 'no', layer: 'workspace', where: 'workspace.yaml#/policies/rules/0'},
      },
    });
    expect(runtime.listTasks()[0]?.state).toBe(trigger === 'on_claim' ? 'ready' : 'active');
  });

  test.each([
    ['on_claim', ['ready', 'active']],
    ['on_completion', ['active', 'done']],
  ] as const)(
    'approval_required %s holds the transition until it is approved, once',
    async (trigger, [before, after]) => {
      const ask = policies({id: 'ask', trigger, decision: 'approval_required'});
      let runtime = await stage.open({workspace: ask});
      unwrap(await runtime.createTask({id: 'task-1', lane_id: 'core'}));
      if (trigger === 'on_completion') unwrap(await runtime.claimTask(holder));
      const attempt = () => (trigger === 'on_claim' ? runtime.claimTask(holder) : runtime.completeTask(holder));
      const waiting = {success: false, error: {code: 'APPROVAL_REQUIRED', details: {rule_id: 'ask'}}};
      expect(await attempt()).toMatchObject(waiting);
      expect(await attempt()).toMatchObject(waiting);
      const {request_id, subject} = onlyOne(runtime.listApprovals());
      expect(subject).toMatchObject({kind: trigger === 'on_claim' ? 'claim' : 'completion', session_id: 'session-1'});
      expect(await runtime.resolveApproval({request_id, approved: true, approved_by: 'agent'})).toMatchObject({
        error: {code: 'SELF_APPROVAL'},
      });
      unwrap(await runtime.resolveApproval({request_id, approved: true, approved_by: 'ann'}));
      expect(runtime.listTasks()[0]?.state).toBe(before);
      await runtime.close();

      runtime = await stage.open({workspace: ask});
      const attempts = await Promise.all([attempt(), attempt(), attempt()]);
      expect(attempts.filter(({success}) => success)).toHaveLength(1);
      expect(runtime.listTasks()[0]?.state).toBe(after);
      const {run} = runtime.listTasks()[0] ?? {};
      expect(runtime.listApprovals({state: 'used'})).toMatchObject([{request_id, used_by: run?.run_id}]);
    },
  );

  test('a used approval of a claim does not serve the next claim, nor another session’s', async () => {
    const runtime = await stage.open({
      workspace: policies({id: 'ask', trigger: 'on_claim', decision: 'approval_required'}),
    });
    unwrap(await runtime.createTask({id: 'task-1', lane_id: 'core'}));
    const waiting = {error: {code: 'APPROVAL_REQUIRED'}};
    expect(await runtime.claimTask(holder)).toMatchObject(waiting);
    const {request_id} = onlyOne(runtime.listApprovals());
    unwrap(await runtime.resolveApproval({request_id, approved: true, approved_by: 'ann'}));
    expect(await runtime.claimTask({...holder, session_id: 'session-2'})).toMatchObject(waiting);
    unwrap(await runtime.claimTask(holder));
    unwrap(await runtime.releaseTask({...holder, reason: 'later'}));
    expect(await runtime.claimTask(holder)).toMatchObject(waiting);
  });

  test('a rejected completion stays rejected for this run, and the next run may ask', async () => {
    const runtime = await stage.open({
      workspace: policies({id: 'ask', trigger: 'on_completion', decision: 'approval_required'}),
    });
    await runtime.startTask();
    await runtime.completeTask(holder);
    const {request_id} = onlyOne(runtime.listApprovals());
    unwrap(await runtime.resolveApproval({request_id, approved: false, approved_by: 'ann', reason: 'no tests'}));
    expect(await runtime.completeTask(holder)).toMatchObject({
      error: {
        code: 'POLICY_DENIED',
        message: '`ann` rejected the completion of task `task-1`: no tests',
        details: {request_id, rejected_by: 'ann', rejected_at: stage.clock.timestamp()},
      },
    });
    unwrap(await runtime.releaseTask({...holder, reason: 'again'}));
    unwrap(await runtime.claimTask(holder));
    expect(await runtime.completeTask(holder)).toMatchObject({error: {code: 'APPROVAL_REQUIRED'}});
  });

  test('a pack asks for a passed gate before completion, and sees the task’s calls oldest first', async () => {
    const seen: (readonly TaskEvidence[])[] = [];
    const gate: FactoryRule = {
      id: 'gates.passed',
      trigger: 'on_completion',
      decision: 'deny',
      reason: 'no passed gate',
      when({evidence = []}) {
        seen.push(evidence);
        return !evidence.some(({tool_name, result, data}) => {
          return tool_name === 'gates:run' && result === 'success' && (data as {passed?: boolean}).passed === true;
        });
      },
    };
    const gates = examplePack({id: 'gates', task_types: ['delivery'], tools: [{name: 'gates:run'}], rules: [gate]});
    const runtime = await stage.open({
      packs: [gates, filesPack],
      scripts: {
        'files:read': () => ({output: {success: true, data: 'x'.repeat(70_000)}}),
        'files:write': () => ({output: {success: false, error: {code: 'NO', message: 'no'}}}),
      },
    });
    const context = await runtime.startTask('task-1', {type: 'delivery'});
    const denied = {success: false, error: {code: 'POLICY_DENIED', details: {rule_id: 'gates.passed', layer: 'pack'}}};
    expect(await runtime.completeTask(holder)).toMatchObject(denied);
    await runtime.executeTool('files:read', {}, context);
    await runtime.executeTool('files:write', {}, context);
    await runtime.executeTool('gates:run', {passed: false}, context);
    const elsewhere = await runtime.startTask('task-2');
    await runtime.executeTool('gates:run', {passed: true}, elsewhere);
    expect(await runtime.completeTask(holder)).toMatchObject(denied);
    expect(seen.at(-1)).toMatchObject([
      {tool_name: 'files:read', permission: 'read', result: 'success'},
      {tool_name: 'files:write', permission: 'write', result: 'failure'},
      {tool_name: 'gates:run', result: 'success', data: {passed: false}},
    ]);
    expect(seen.at(-1)?.[0]).not.toHaveProperty('data');
    await runtime.executeTool('gates:run', {passed: true}, context);
    unwrap(await runtime.completeTask(holder));
    unwrap(await runtime.completeTask({...holder, task_id: 'task-2'}));
    expect(await runtime.events.read({types: ['task_completed'], task_id: 'task-1'})).toMatchObject([
      {policy_decisions: [{decision: 'allow', rule_id: 'kernel.policy.open'}]},
    ]);
  });

  test('on_evidence_added decides after the outcome, and raises an event that undoes nothing', async () => {
    const rule: PolicyRule = {
      id: 'watch',
      trigger: 'on_evidence_added',
      decision: 'deny',
      reason: 'look at this',
      when: {tool: 'files:write'},
    };
    const runtime = await stage.open({workspace: policies(rule)});
    const context = await runtime.startTask();
    await runtime.executeTool('files:read', {}, context);
    const output = await runtime.executeTool('files:write', {}, context);
    expect(output.success).toBe(true);
    expect(await runtime.events.read({types: ['evidence_policy_decided']})).toMatchObject([
      {
        receipt_id: output.metadata?.receipt_id,
        task_id: 'task-1',
        actor: 'agent',
        policy_decisions: [{decision: 'allow'}, {decision: 'deny', rule_id: 'watch', reason: 'look at this'}],
      },
    ]);
    expect((await runtime.executeTool('files:write', {}, context)).success).toBe(true);
  });

  test('on_evidence_added receives refusals, too: with the input if it could be kept, and none without a task', async () => {
    const watch = {trigger: 'on_evidence_added', decision: 'deny'} as const;
    const runtime = await stage.open({
      workspace: policies(
        {id: 'no-writes', trigger: 'on_tool_request', decision: 'deny', when: {tool: 'files:write'}},
        {...watch, id: 'watch', when: {tool: 'files:write'}},
        {...watch, id: 'watch-path', when: {arguments: {'/path': {equals: 'a'}}}},
      ),
    });
    const context = await runtime.startTask();
    const refusedBy = async (input: unknown, at = context): Promise<unknown> => {
      const output = await runtime.executeTool('files:write', input, at);
      expect(output.success).toBe(false);
      const decided = await runtime.events.read({types: ['evidence_policy_decided']});
      const raised = decided.filter(
        (event) => 'receipt_id' in event && event.receipt_id === output.metadata?.['receipt_id'],
      );
      return raised.map((event) => 'policy_decisions' in event && event.policy_decisions?.map(({rule_id}) => rule_id));
    };
    expect(await refusedBy({path: 'a'})).toEqual([['kernel.policy.open', 'watch', 'watch-path']]);
    expect(await refusedBy({path: 'a', size: 1n})).toEqual([['kernel.policy.open', 'watch']]);
    expect(await refusedBy({path: 'a'}, {...context, run_id: 'another'})).toEqual([]);
  });

  test('each trigger is asked its own rules only', async () => {
    const asked: PolicyTrigger[] = [];
    const rules = (['on_claim', 'on_tool_request', 'on_completion', 'on_evidence_added'] as const).map(
      (trigger): FactoryRule => ({
        id: trigger,
        trigger,
        decision: 'allow',
        when(context) {
          asked.push(context.trigger);
          return context.trigger === trigger;
        },
      }),
    );
    const runtime = await stage.open({packs: [examplePack({id: 'p', tools: [{name: 'p:tool'}], rules})]});
    await runtime.executeTool('p:tool', {}, await runtime.startTask('task-1', {type: 'p'}));
    unwrap(await runtime.completeTask(holder));
    expect(asked).toEqual(['on_claim', 'on_tool_request', 'on_evidence_added', 'on_completion']);
  });
});
