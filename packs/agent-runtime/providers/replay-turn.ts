// The provider for tests and demos: replays a file of turns from the workspace, without a network. The messages alone determine
// the turn, so a resumed session continues where it stopped.
import type {TurnData} from '@lumenflow/pack-sdk/agent-session';
import {ToolError, type ToolContext} from '@lumenflow/pack-sdk';
import type {ScriptedModel} from '../pack-config.ts';
import type {TurnInput} from '../turn/turn-input.ts';
import {parseScript, type ScriptedTurn} from './parse-script.ts';

/** Throws ToolError SCRIPT_INVALID and SCRIPT_EXHAUSTED, and errors of reading the script. */
export async function replayTurn(
  {provider, model, script}: ScriptedModel,
  {messages, stream}: TurnInput,
  {fs, progress}: Pick<ToolContext, 'fs' | 'progress'>,
): Promise<TurnData> {
  const turns = parseScript(await fs.readText(script), script);
  const index = messages.filter(({role}) => role === 'assistant').length;
  const turn = turns[index];
  if (turn === undefined) {
    throw new ToolError(
      'SCRIPT_EXHAUSTED',
      `\`${script}\` has ${turns.length} turns; the call requested turn ${index + 1}`,
      {
        script,
        turns: turns.length,
        turn_index: index,
      },
    );
  }
  if (stream === true && turn.content !== '') await progress({type: 'text_delta', text: turn.content});
  return {...toOutput(turn, index), provider: {kind: provider, model}};
}

function toOutput(turn: ScriptedTurn, index: number): Omit<TurnData, 'provider'> {
  const requested = turn.requested_tools.map(({id, name, input}, at) => ({
    id: id ?? `call-${index}-${at}`,
    name,
    input,
  }));
  const hasTools = requested.length > 0;
  const {input_tokens, output_tokens, cost} = turn.usage;
  return {
    status: turn.status ?? (hasTools ? 'tool_request' : 'reply'),
    ...(turn.intent !== undefined && {intent: turn.intent}),
    assistant_message: {role: 'assistant', content: turn.content, ...(hasTools && {requested_tools: requested})},
    requested_tools: requested,
    usage: {
      input_tokens,
      output_tokens,
      total_tokens: input_tokens + output_tokens,
      ...(cost !== undefined && {cost}),
    },
    finish_reason: turn.finish_reason ?? (hasTools ? 'tool_calls' : 'stop'),
  };
}
