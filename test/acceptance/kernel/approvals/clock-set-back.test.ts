// A clock that is set back prolongs no approval and no sign-in that a running process has seen.
import type {ExecutionContext} from '@lumenflow/kernel';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {createStage, unwrap, type RuntimeWords, type Stage, type StagedRuntime} from '../../../support/stage.ts';
import {stateKinds} from '../../../support/state-home.ts';

const [hour, day] = [3_600_000, 24 * 3_600_000];
const when = {tool: 'files:write'};
const asking: RuntimeWords = {
  workspace: {
    policies: {
      default_decision: 'allow',
      rules: [{id: 'ask', trigger: 'on_tool_request', decision: 'approval_required', when}],
    },
    approvals: {max_pending_per_session: 1},
  },
};

describe.each(stateKinds)('state $name', (kind) => {
  let stage: Stage;
  let runtime: StagedRuntime;
  let context: ExecutionContext;
  beforeEach(async () => {
    stage = createStage(kind);
    runtime = await stage.open(asking);
    context = await runtime.startTask();
  });
  afterEach(() => stage.close());

  const write = (path = 'a') => runtime.executeTool('files:write', {path}, context);
  const request = async (path = 'a'): Promise<string> => String((await write(path)).error?.details?.['request_id']);
  const answer = (request_id: string) => runtime.resolveApproval({request_id, approved: true, approved_by: 'ann'});
  const states = (): readonly string[] => runtime.listApprovals().map(({state}) => state);

  test('an approval allows nothing when its time has passed', async () => {
    const request_id = await request();
    unwrap(await answer(request_id));
    stage.clock.move(-2 * day);
    stage.clock.move(7 * day - 1);
    expect(states()).toEqual(['approved']);
    stage.clock.move(1);
    expect(states()).toEqual(['expired']);
    expect(await request()).not.toBe(request_id);
    expect(runtime.dispatcher.requests).toEqual([]);
  });

  test('a request is answered and withdrawn no longer, and makes room for another one', async () => {
    const request_id = await request();
    stage.clock.move(-hour);
    stage.clock.move(7 * day);
    expect(await answer(request_id)).toMatchObject({error: {code: 'APPROVAL_EXPIRED'}});
    const withdrawal = await runtime.withdrawApproval({request_id, by: 'agent'});
    expect(withdrawal).toMatchObject({error: {code: 'APPROVAL_RESOLVED', details: {state: 'expired'}}});
    expect((await write('b')).error?.code).toBe('APPROVAL_REQUIRED');
  });

  test('an approval whose time passes while the call is on its way allows nothing', async () => {
    const request_id = await request();
    stage.clock.move(-hour);
    unwrap(await answer(request_id));
    const ran = runtime.executeTool('files:write', {path: 'a'}, context);
    stage.clock.move(7 * day);
    expect((await ran).success).toBe(false);
    expect(runtime.dispatcher.requests).toEqual([]);
  });

  test('a request from the time of a clock that was ahead lives no longer than others', async () => {
    stage.clock.move(day);
    const request_id = await request();
    stage.clock.move(-day);
    stage.clock.move(7 * day);
    expect(await answer(request_id)).toMatchObject({error: {code: 'APPROVAL_EXPIRED'}});
  });

  test('a sign-in ends when its time has passed', async () => {
    const token_sha256 = 'cd'.repeat(32);
    const person = {issuer: 'https://issuer.example', subject: 's-1'};
    const signIn = {name: 'ann', person, groups: [], via: 'browser' as const, lifetime_ms: 12 * hour, token_sha256};
    unwrap(await runtime.people.signIn(signIn));
    expect(runtime.people.signInOf(token_sha256)?.name).toBe('ann');
    stage.clock.move(-3 * hour);
    stage.clock.move(12 * hour - 1);
    expect(runtime.people.signInOf(token_sha256)?.name).toBe('ann');
    stage.clock.move(1);
    expect(runtime.people.signInOf(token_sha256)).toBeUndefined();
  });
});
