import {describe, expect, it} from 'vitest';
import type {AgentRuntimeConfig, PackConfig} from '../pack-config.ts';
import {intentPolicy} from './intent-policy.ts';

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
): string[] {
  return intentPolicy({config: given})
    .filter(({when}) =>
      when?.({
        trigger: 'on_tool_request',
        run_id: 'run-1',
        ...(tool !== undefined && {tool_name: tool}),
        ...(metadata !== undefined && {execution_metadata: metadata}),
      }),
    )
    .map(({id, decision}) => `${id}: ${decision}`);
}

const deny = ['agent-runtime.intent.deny: deny'];
const approval = ['agent-runtime.intent.approval: approval_required'];

describe('intentPolicy', () => {
  it('cannot be left by saying nothing of an agent', () => {
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
    ['the turn', 'agent:execute-turn', {agent_turn_index: 1}, []],
    [
      'a turn that the model asked for',
      'agent:execute-turn',
      {agent_intent: 'scheduling', agent_tool_call_count: 1},
      deny,
    ],
  ])('judges %s', (_name, tool, metadata, expected) => {
    expect(decide(tool, metadata)).toEqual(expected);
  });

  it('denies all to agents when no intent is configured', () => {
    expect(decide('file:read', {agent_intent: 'scheduling'}, undefined)).toEqual(deny);
  });
});
