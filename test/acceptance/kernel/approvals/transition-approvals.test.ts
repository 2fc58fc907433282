// Approvals of claims and completions: bound to the requester and to what was judged, consumed in one step with the transition.
import type {LoadedPack, TransitionResult} from '@lumenflow/kernel';
import type {FactoryRule, PolicyRule, PolicyTrigger} from '@lumenflow/schemas';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {examplePack} from '../../../support/example-pack.ts';
import {interruptedEvents} from '../../../support/interrupted-events.ts';
import {
  createStage,
  filesPack,
  unwrap,
  type RuntimeWords,
  type Stage,
  type StagedRuntime,
} from '../../../support/stage.ts';
import {stateKinds} from '../../../support/state-home.ts';

const holder = {task_id: 'task-1', by: 'agent', session_id: 'session-1'};
const waiting = {success: false, error: {code: 'APPROVAL_REQUIRED'}};
const day = 24 * 60 * 60 * 1_000;
const kinds = [['on_claim'], ['on_completion']] as const;
type Trigger = (typeof kinds)[number][0];

const asking = (trigger: Trigger, ...more: PolicyRule[]): RuntimeWords => ({
  workspace: {
    policies: {default_decision: 'allow', rules: [{id: 'ask', trigger, decision: 'approval_required'}, ...more]},
  },
});

/** A pack that requires approval for tasks of its type by a function, whose code is not part of the policy. */
function holding(trigger: PolicyTrigger, more: Partial<LoadedPack> = {}): LoadedPack {
  const rule: FactoryRule = {id: 'p.ask', trigger, decision: 'approval_required', when: () => true};
  return {...examplePack({id: 'p', tools: [{name: 'p:tool'}], rules: [rule]}), ...more};
}

describe.each(stateKinds)('state $name', (kind) => {
  let stage: Stage;
  beforeEach(() => {
    stage = createStage(kind);
  });
  afterEach(() => stage.close());

  const attempt = async (on: StagedRuntime, trigger: Trigger, as = holder): Promise<TransitionResult<object>> =>
    await (trigger === 'on_claim' ? on.claimTask(as) : on.completeTask(as));

  /** A task that waits for its transition to be approved; gives the request. */
  async function ask(on: StagedRuntime, trigger: Trigger, type?: string): Promise<string> {
    unwrap(await on.createTask({id: 'task-1', lane_id: 'core', ...(type !== undefined && {type})}));
    if (trigger === 'on_completion') unwrap(await on.claimTask(holder));
    expect(await attempt(on, trigger)).toMatchObject(waiting);
    return on.listApprovals({state: 'pending'})[0]?.request_id ?? '';
  }

  const approve = async (on: StagedRuntime, request_id: string): Promise<unknown> =>
    unwrap(await on.resolveApproval({request_id, approved: true, approved_by: 'ann'}));

  test.each(kinds)('%s: a changed policy asks again, the same one does not', async (trigger) => {
    const runtime = await stage.open(asking(trigger));
    await approve(runtime, await ask(runtime, trigger));
    const more: PolicyRule = {id: 'more', trigger, decision: 'deny', when: {metadata: {'/x': {equals: 1}}}};
    expect(await attempt(await stage.open(asking(trigger, more)), trigger)).toMatchObject(waiting);
    unwrap(await attempt(await stage.open(asking(trigger)), trigger));
  });

  test.each(kinds)(
    '%s: another version, content or config of the pack whose rule asks is asked again',
    async (trigger) => {
      const pack = holding(trigger);
      const runtime = await stage.open({packs: [pack]});
      await approve(runtime, await ask(runtime, trigger, 'p'));
      const others: readonly Partial<LoadedPack>[] = [
        {manifest: {...pack.manifest, version: '1.0.1'}},
        {integrity: `sha256:${'2'.repeat(64)}`},
        {config: {limit: 2}},
      ];
      for (const other of others) {
        expect(await attempt(await stage.open({packs: [holding(trigger, other)]}), trigger)).toMatchObject(waiting);
      }
      unwrap(await attempt(await stage.open({packs: [holding(trigger)]}), trigger));
    },
  );

  test('so does a call in a task of a pack’s type, whosever tool it is', async () => {
    const pack = holding('on_tool_request');
    const runtime = await stage.open({packs: [pack, filesPack]});
    const context = await runtime.startTask('task-1', {type: 'p'});
    const call = (on: StagedRuntime) => on.executeTool('files:read', {}, context);
    expect(await call(runtime)).toMatchObject(waiting);
    await approve(runtime, runtime.listApprovals()[0]?.request_id ?? '');
    const patched = {...pack, integrity: `sha256:${'2'.repeat(64)}`};
    expect(await call(await stage.open({packs: [patched, filesPack]}))).toMatchObject(waiting);
    expect(await call(runtime)).toMatchObject({success: true});
  });

  test('the approval of a claim is for its requester, not for another actor of the session', async () => {
    const runtime = await stage.open(asking('on_claim'));
    await approve(runtime, await ask(runtime, 'on_claim'));
    expect(await attempt(runtime, 'on_claim', {...holder, by: 'other'})).toMatchObject(waiting);
    unwrap(await attempt(runtime, 'on_claim'));
  });

  test('neither the requester of a completion nor the task’s owner answers it', async () => {
    const runtime = await stage.open(asking('on_completion'));
    await runtime.startTask();
    expect(await attempt(runtime, 'on_completion', {...holder, by: 'bob'})).toMatchObject(waiting);
    const request_id = runtime.listApprovals()[0]?.request_id ?? '';
    for (const approved_by of ['agent', 'bob']) {
      expect(await runtime.resolveApproval({request_id, approved: true, approved_by})).toMatchObject({
        error: {code: 'SELF_APPROVAL'},
      });
    }
    await approve(runtime, request_id);
  });

  test.each(kinds)(
    '%s: who asked may answer in the conversation that asked where the rule says so',
    async (trigger) => {
      const answerInband = async (rule: Partial<PolicyRule>) => {
        const rules: PolicyRule[] = [{id: 'ask', trigger, decision: 'approval_required', ...rule}];
        const runtime = await stage.open({workspace: {policies: {default_decision: 'allow', rules}}});
        expect(await attempt(runtime, trigger)).toMatchObject(waiting);
        const request_id = runtime.listApprovals({state: 'pending'}).at(-1)?.request_id ?? '';
        return await runtime.resolveApproval({request_id, approved: true, approved_by: 'agent', channel: 'inband'});
      };
      await ask(await stage.open(asking(trigger)), trigger);
      expect(await answerInband({})).toMatchObject({error: {code: 'SELF_APPROVAL'}});
      expect(await answerInband({channel: 'inband'})).toMatchObject({data: {state: 'approved', channel: 'inband'}});
    },
  );

  test.each(kinds)('%s: an approval that expires on the way lets nothing through', async (trigger) => {
    const {events, meanwhile} = interruptedEvents();
    const runtime = await stage.open({...asking(trigger), events});
    const request_id = await ask(runtime, trigger);
    await approve(runtime, request_id);
    meanwhile(async () => {
      stage.clock.move(8 * day);
    });
    expect(await attempt(runtime, trigger)).toMatchObject({error: {code: 'POLICY_DENIED', details: {request_id}}});
    expect(runtime.listApprovals({state: 'expired'})).toHaveLength(1);
    expect(await attempt(runtime, trigger)).toMatchObject(waiting);
  });

  test('a claim that another process makes and releases in between consumes the approval', async () => {
    const {events, meanwhile} = interruptedEvents();
    const runtime = await stage.open({...asking('on_claim'), events});
    const other = await stage.open(asking('on_claim'));
    const request_id = await ask(runtime, 'on_claim');
    await approve(runtime, request_id);
    meanwhile(async () => {
      unwrap(await other.claimTask(holder));
      unwrap(await other.releaseTask({...holder, reason: 'later'}));
    });
    expect(await runtime.claimTask(holder)).toMatchObject({error: {code: 'POLICY_DENIED', details: {request_id}}});
    expect(runtime.listTasks({state: 'ready'})).toHaveLength(1);
  });
});
