// Rejects a turn if its own messages show that it exceeds a limit. Messages that a caller omits are not visible here: the host
// enforces the limits of a whole session from recorded evidence.
import type {AgentLimits} from '@lumenflow/pack-sdk/agent-session';
import {ToolError} from '@lumenflow/pack-sdk';
import type {TurnInput} from './turn-input.ts';

/** Throws ToolError LIMIT_EXCEEDED. */
export function checkLimits({messages, limits: lowered = {}}: TurnInput, limits: AgentLimits = {}): void {
  const counts: readonly (readonly [keyof AgentLimits, number])[] = [
    ['max_turns_per_session', messages.filter(({role}) => role === 'assistant').length + 1],
    ['max_tool_calls_per_session', messages.filter(({role}) => role === 'tool').length],
    ['max_input_bytes', new TextEncoder().encode(JSON.stringify(messages)).length],
  ];
  for (const [name, count] of counts) {
    const limit = Math.min(limits[name] ?? Infinity, lowered[name] ?? Infinity);
    if (count <= limit) continue;
    throw new ToolError('LIMIT_EXCEEDED', `the turn would exceed \`${name}\`: ${count} of ${limit}`, {
      limit: name,
      count,
      max: limit,
    });
  }
}
