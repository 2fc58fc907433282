import type {PolicyEvaluationContext, TaskEvidence} from '@lumenflow/pack-sdk';
import {describe, expect, it} from 'vitest';
import type {AgentRuntimeConfig, PackConfig} from '../pack-config.ts';
import {agentPolicy} from './agent-policy.ts';

const config: AgentRuntimeConfig = {
  intents: {
    scheduling: {
      allow_tools: ['calendar:create-event', 'both:listed'],
      approval_required_tools: ['calendar:delete-event', 'both:listed'],
    },
    nothing: {},
  },
};

function decide(
  tool: string | undefined,
  metadata: Record<string, unknown> | undefined,
  given: PackConfig = config,
  {evidence = [], caller}: Pick<PolicyEvaluationContext, 'evidence' | 'caller'> = {},
): string[] {
  return agentPolicy({config: given})
    .filter(({when}) =>
      when?.({
        trigger: 'on_tool_request',
        run_id: 'run-1',
        ...(tool !== undefined && {tool_name: tool}),
        ...(metadata !== undefined && {execution_metadata: metadata}),
        evidence,
        ...(caller && {caller}),
      }),
    )
    .map(({id, decision}) => `${id}: ${decision}`);
}

const deny = ['agent-runtime.intent.deny: deny'];
const approval = ['agent-runtime.intent.approval: approval_required'];

describe('agentPolicy', () => {
  it('cannot be avoided by omitting the agent’s metadata', () => {
    expect(decide('file:write', undefined)).toEqual(deny);
    expect(decide('calendar:create-event', {user: 'ada'})).toEqual(deny);
  });

  it.each([
    ['a listed tool', 'calendar:create-event', {agent_intent: 'scheduling'}, []],
    ['an approval tool', 'calendar:delete-event', {agent_intent: 'scheduling'}, approval],
    ['a tool in both lists', 'both:listed', {agent_intent: 'scheduling'}, approval],
    ['another tool', 'file:write', {agent_intent: 'scheduling'}, deny],
    ['an intent without lists', 'file:read', {agent_intent: 'nothing'}, deny],
    ['an unknown intent', 'calendar:create-event', {agent_intent: 'other'}, deny],
    ['an inherited name', 'calendar:create-event', {agent_intent: 'constructor'}, deny],
    ['an intent of another type', 'calendar:create-event', {agent_intent: ['scheduling']}, deny],
    ['a missing intent', 'calendar:create-event', {agent_turn_index: 1, agent_tool_call_count: 1}, deny],
    ['no tool', undefined, {agent_intent: 'scheduling'}, deny],
    ['a turn', 'agent:execute-turn', {agent_turn_index: 1}, []],
    [
      'a turn requested by the model',
      'agent:execute-turn',
      {agent_intent: 'scheduling', agent_tool_call_count: 1},
      deny,
    ],
  ])('judges %s', (_name, tool, metadata, expected) => {
    expect(decide(tool, metadata)).toEqual(expected);
  });

  it('admits the kernel tools that an admitted tool calls, and no other nested call', () => {
    const caller = {tool: 'approval:list', pack: 'delivery', depth: 1};
    expect(decide('kernel:list-approvals', {agent_intent: 'scheduling'}, config, {caller})).toEqual([]);
    expect(decide('kernel:list-approvals', {agent_intent: 'scheduling'})).toEqual(deny);
    expect(decide('file:write', {agent_intent: 'scheduling'}, config, {caller})).toEqual(deny);
  });

  it('denies agents every call if no intent is configured', () => {
    expect(decide('file:read', {agent_intent: 'scheduling'}, undefined)).toEqual(deny);
  });
});

describe('limits', () => {
  const recorded = (tool_name: string, result: TaskEvidence['result'], data?: unknown): TaskEvidence => ({
    receipt_id: 'rcp-1',
    tool_name,
    permission: 'read',
    result,
    started_at: '2026-01-01T00:00:00.000Z',
    started_seq: 1,
    ...(data !== undefined && {data}),
  });
  const turn = 'agent:execute-turn';
  const intents = {i: {allow_tools: ['file:read']}};
  const limited = (limits: object): PackConfig => ({intents, limits});
  const limit = (name: string): string[] => [`agent-runtime.limit.${name}: deny`];

  it('counts turns that ran or may have run, but neither denied nor invalid ones', () => {
    const given = limited({max_turns_per_session: 2});
    const one = [recorded(turn, 'success'), recorded(turn, 'denied'), recorded(turn, 'invalid')];
    expect(decide(turn, {}, given, {evidence: one})).toEqual([]);
    for (const result of ['success', 'failure', 'crashed', 'open'] as const) {
      expect(decide(turn, {}, given, {evidence: [...one, recorded(turn, result)]})).toEqual(limit('turns'));
    }
    expect(decide('file:read', {agent_intent: 'i'}, given, {evidence: [...one, ...one]})).toEqual([]);
  });

  it('counts tool calls, but not the calls that run sessions', () => {
    const given = limited({max_tool_calls_per_session: 1});
    const own = [
      recorded(turn, 'success'),
      recorded('agent-session:start', 'success'),
      recorded('file:read', 'denied'),
      recorded('file:read', 'invalid'),
    ];
    expect(decide('file:read', {agent_intent: 'i'}, given, {evidence: own})).toEqual([]);
    expect(
      decide('file:read', {agent_intent: 'i'}, given, {evidence: [...own, recorded('file:list', 'failure')]}),
    ).toEqual(limit('tool-calls'));
    expect(decide(turn, {}, given, {evidence: [recorded('file:list', 'failure')]})).toEqual([]);
    expect(decide('file:read', {agent_intent: 'i'}, limited({max_tool_calls_per_session: 0}))).toEqual(
      limit('tool-calls'),
    );
  });

  it('adds up the cost of turns and reads no other output', () => {
    const given = limited({max_cost_usd: 1});
    const cost = (amount: unknown) => recorded(turn, 'success', {usage: {cost: amount}});
    expect(
      decide(turn, {}, given, {
        evidence: [cost(0.6), cost(0.3), cost('9'), recorded('file:read', 'success', {usage: {cost: 5}})],
      }),
    ).toEqual([]);
    expect(decide(turn, {}, given, {evidence: [cost(0.6), cost(0.4)]})).toEqual(limit('cost'));
    const rules = agentPolicy({config: limited({max_cost_usd: 1, max_turns_per_session: 1})});
    expect(rules.flatMap(({evidence_data: asked}) => (asked ? [asked] : []))).toEqual([[], ['usage']]);
  });

  it('requests no evidence if there are no limits', () => {
    expect(agentPolicy({config}).every(({evidence_data: asked}) => asked === undefined)).toBe(true);
  });
});
