// Rules about the time and the principal of a call. Each fact that such a rule uses is in the record, so that the decision can be made again.
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
const hour = 3_600_000;
/** The stage begins on Friday, 2026-01-02, at 03:04:05.678 UTC. */
const friday: PolicyRule = {
  id: 'no-fridays',
  trigger: 'on_tool_request',
  decision: 'deny',
  when: {tool: 'files:write', time: {zone: 'UTC', days: 'fri'}},
};

test('the time of a call is that of its record, also for rules about its changes', async () => {
  const runtime = await open(friday);
  const context = await runtime.startTask();
  const denied = await runtime.executeTool('files:write', {}, context);
  expect(denied.error?.code).toBe('POLICY_DENIED');
  stage.clock.move(24 * hour);
  expect((await runtime.executeTool('files:write', {}, context)).success).toBe(true);
  const {receipts} = await runtime.evidence.readTraces();
  expect(receipts.map(({started: {timestamp}}) => timestamp)).toEqual([
    '2026-01-03T03:04:05.678Z',
    '2026-01-02T03:04:05.678Z',
  ]);
  // Decided again at the recorded times, each has its decision.
  const again = await Promise.all(
    receipts.map(({started}) => runtime.explainTool('files:write', {}, context, started.timestamp)),
  );
  expect(again.map(({decision}) => decision)).toEqual(['allow', 'deny']);
});

test('a claim and a completion record the time that rules saw', async () => {
  const runtime = await open({
    id: 'no-night-claims',
    trigger: 'on_claim',
    decision: 'deny',
    when: {time: {zone: 'UTC', hours: '22:00-06:00'}, actor: 'bot-*'},
  });
  await runtime.createTask({id: 't-1', lane_id: 'core'});
  const claim = (by: string) => runtime.claimTask({task_id: 't-1', by, session_id: 's-1'});
  expect(await claim('bot-1')).toMatchObject({success: false, error: {code: 'POLICY_DENIED'}});
  const explained = await runtime.explainTransition({kind: 'claim', task_id: 't-1', by: 'bot-1'});
  expect(explained).toMatchObject({data: {decision: 'deny'}});
  const byDay = {kind: 'claim', task_id: 't-1', by: 'bot-1', at: '2026-01-02T12:00:00.000Z'} as const;
  expect(await runtime.explainTransition(byDay)).toMatchObject({data: {decision: 'allow'}});
  expect(await claim('ann')).toMatchObject({success: true});
  await runtime.completeTask({task_id: 't-1', by: 'ann', session_id: 's-1'});
  const events = await runtime.events.read({});
  const decided = events.flatMap((event) => ('decided_at' in event ? [[event.type, event.decided_at]] : []));
  expect(decided).toEqual([
    ['task_claimed', '2026-01-02T03:04:05.678Z'],
    ['task_completed', '2026-01-02T03:04:05.678Z'],
  ]);
});

test('actor, surface and role of a call are what the record contains', async () => {
  const rule = (id: string, when: PolicyRule['when']): PolicyRule => ({
    id,
    trigger: 'on_tool_request',
    decision: 'deny',
    ...(when && {when}),
  });
  const runtime = await open(
    rule('not-mallory', {actor: ['mallory', 'bot-*']}),
    rule('not-mcp', {surface: ['mcp']}),
    rule('only-operators-write', {tool: 'files:write', not: {role: ['operator']}}),
  );
  const context = await runtime.startTask();
  const decide = async (tool: string, more: Partial<typeof context>) => {
    const {error} = await runtime.executeTool(tool, {}, {...context, ...more});
    expect((await runtime.explainTool(tool, {}, {...context, ...more})).decision).toBe(error ? 'deny' : 'allow');
    return error?.details?.['rule_id'] ?? 'allowed';
  };
  expect(await decide('files:read', {by: 'ann'})).toBe('allowed');
  expect(await decide('files:read', {by: 'bot-7'})).toBe('not-mallory');
  expect(await decide('files:read', {by: 'ann', surface: 'mcp'})).toBe('not-mcp');
  expect(await decide('files:write', {by: 'ann', surface: 'cli'})).toBe('only-operators-write');
  expect(await decide('files:write', {by: 'ann', surface: 'http', is_operator: true})).toBe('allowed');
  const {receipts} = await runtime.evidence.readTraces();
  expect(receipts.map(({started: {by, surface, role}}) => `${by} ${surface} ${role}`)).toEqual([
    'ann http operator',
    'ann cli person',
    'ann mcp agent',
    'bot-7 api person',
    'ann api person',
  ]);
});
