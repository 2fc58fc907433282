// A session's limits as policy: counted from what is recorded of its task, so nothing that a caller leaves out or
// claims makes a difference. What is lowered for one turn alone, that turn checks itself.
import type {FactoryRule, TaskEvidence} from '@lumenflow/pack-sdk';
import type {Limits} from '../pack-config.ts';
import {isOwnTool, turnTool} from './own-tools.ts';

export function limitRules(limits: Limits = {}): readonly FactoryRule[] {
  const {max_turns_per_session: turns, max_tool_calls_per_session: calls, max_cost_usd: cost} = limits;
  return [
    ...(turns === undefined
      ? []
      : [rule('turns', `of ${turns} turns`, [], isTurn, (made) => made.filter(isTurnMade).length >= turns)]),
    ...(calls === undefined
      ? []
      : [
          rule(
            'tool-calls',
            `of ${calls} calls of tools`,
            [],
            isToolCall,
            (made) => made.filter(isCallMade).length >= calls,
          ),
        ]),
    ...(cost === undefined
      ? []
      : [rule('cost', `of ${cost} US dollars`, ['usage'], isTurn, (made) => sum(made.map(costOf)) >= cost)]),
  ];
}

type Made = readonly TaskEvidence[];

function rule(
  name: string,
  limit: string,
  evidence_data: readonly string[],
  governs: (tool: string) => boolean,
  isUsedUp: (made: Made) => boolean,
): FactoryRule {
  return {
    id: `agent-runtime.limit.${name}`,
    trigger: 'on_tool_request',
    decision: 'deny',
    reason: `the session's limit ${limit} is used up: see \`agent_runtime.limits\``,
    evidence_data,
    when: ({tool_name: tool = '', evidence = []}) => governs(tool) && isUsedUp(evidence),
  };
}

function isTurn(tool: string): boolean {
  return tool === turnTool;
}

function isToolCall(tool: string): boolean {
  return !isOwnTool(tool);
}

/** What was denied did not happen; what is still open may have. */
function isTurnMade({tool_name: tool, result}: TaskEvidence): boolean {
  return isTurn(tool) && result !== 'denied';
}

function isCallMade({tool_name: tool, result}: TaskEvidence): boolean {
  return isToolCall(tool) && result !== 'denied';
}

function costOf({tool_name: tool, data}: TaskEvidence): number {
  if (!isTurn(tool)) return 0;
  const {cost} = ((data as {readonly usage?: unknown} | undefined)?.usage ?? {}) as {readonly cost?: unknown};
  return typeof cost === 'number' ? cost : 0;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
