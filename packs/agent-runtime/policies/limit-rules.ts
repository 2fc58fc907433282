// A session's limits as policy. They count the recorded evidence of the task, so a caller's omissions or claims have no effect. A
// limit that is lowered for one turn is checked by that turn.
import type {AgentLimits} from '@lumenflow/pack-sdk/agent-session';
import type {PolicyRule, TaskEvidence} from '@lumenflow/pack-sdk';
import {isOwnTool, turnTool} from './own-tools.ts';

export function limitRules(limits: AgentLimits = {}): readonly PolicyRule[] {
  const {max_turns_per_session: turns, max_tool_calls_per_session: calls, max_cost_usd: cost} = limits;
  const rules: readonly (LimitRule | undefined)[] = [
    turns === undefined
      ? undefined
      : {
          name: 'turns',
          limit: `${turns} turns`,
          governs: isTurn,
          isUsedUp: (made) => made.filter(isTurnMade).length >= turns,
        },
    calls === undefined
      ? undefined
      : {
          name: 'tool-calls',
          limit: `${calls} tool calls`,
          governs: isToolCall,
          isUsedUp: (made) => made.filter(isCallMade).length >= calls,
        },
    cost === undefined
      ? undefined
      : {
          name: 'cost',
          limit: `${cost} US dollars`,
          looksAt: ['usage'],
          governs: isTurn,
          isUsedUp: (made) => sum(made.map(costOf)) >= cost,
        },
  ];
  return rules.filter((rule) => rule !== undefined).map(toRule);
}

interface LimitRule {
  readonly name: string;
  readonly limit: string;
  /** Properties of the turns' outputs that the rule reads. */
  readonly looksAt?: readonly string[];
  governs(tool: string): boolean;
  isUsedUp(made: readonly TaskEvidence[]): boolean;
}

function toRule({name, limit, looksAt = [], governs, isUsedUp}: LimitRule): PolicyRule {
  return {
    id: `agent-runtime.limit.${name}`,
    trigger: 'on_tool_request',
    decision: 'deny',
    reason: `the session's limit of ${limit} is used up: see \`agent_runtime.limits\``,
    evidence_data: looksAt,
    when: ({tool_name: tool = '', evidence = []}) => governs(tool) && isUsedUp(evidence),
  };
}

function isTurn(tool: string): boolean {
  return tool === turnTool;
}

function isToolCall(tool: string): boolean {
  return !isOwnTool(tool);
}

const notRun: ReadonlySet<string> = new Set(['denied', 'invalid']);

/** An open turn may have run. */
function isTurnMade({tool_name: tool, result}: TaskEvidence): boolean {
  return isTurn(tool) && !notRun.has(result);
}

/** Previews do not count: the kernel makes them for the person who is asked to approve. */
function isCallMade({tool_name: tool, result, preview_of: previewOf}: TaskEvidence): boolean {
  return isToolCall(tool) && !notRun.has(result) && previewOf === undefined;
}

function costOf({tool_name: tool, data}: TaskEvidence): number {
  if (!isTurn(tool)) return 0;
  const {cost} = ((data as {readonly usage?: unknown} | undefined)?.usage ?? {}) as {readonly cost?: unknown};
  return typeof cost === 'number' ? cost : 0;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
