// The loop of a session: a turn, the calls that it requests, the next turn. The model proposes; every call goes through the
// kernel, whose result goes back to the model.
import type {ToolOutput} from '@lumenflow/schemas';
import type {AgentLoopResult} from './agent-event.ts';
import type {AgentLoopRequest} from './agent-loop-request.ts';
import {AgentSessionError} from './agent-session-error.ts';
import {discoverTools, type CatalogTool} from './discover-tools.ts';
import {isLimit} from './is-limit.ts';
import {runRequestedCall} from './run-requested-call.ts';
import type {SessionView, TurnData} from '@lumenflow/schemas/agent-session';
import {turnTool} from './turn-tool.ts';
import {messagesOf, readTranscript, type TranscriptTurn} from './transcript.ts';
import type {RecordedMetadata} from '../sessions/recorded-metadata.ts';

/**
 * Continues from the session's records until it ends, waits or is interrupted. Throws AgentSessionError when the machine cannot
 * run a turn now; the session's state is unchanged.
 */
export async function runGovernedAgentLoop(request: AgentLoopRequest): Promise<AgentLoopResult> {
  const {runtime, session} = request;
  const turns = [...(await readTranscript(runtime, session.context.task_id))];
  const tools = await discoverTools(runtime, session);
  for (;;) {
    const last = turns.at(-1);
    const end = last && (await finishTurn(request, last, turns));
    if (end) return end;
    const made = await makeTurn(request, turns, tools);
    if ('status' in made) return made;
    turns.push(made);
  }
}

/** Makes the calls that the last turn requested; returns the result if the loop ends here. */
async function finishTurn(
  request: AgentLoopRequest,
  {data, attempts}: TranscriptTurn,
  turns: readonly TranscriptTurn[],
): Promise<AgentLoopResult | undefined> {
  const made = turns.slice(0, -1).reduce((sum, turn) => sum + turn.data.requested_tools.length, 0);
  for (const [index, call] of data.requested_tools.entries()) {
    const known = attempts.get(call.id) ?? [];
    const step = {
      call,
      intent: intentOf(request.session.view, data),
      turn_index: turns.length - 1,
      call_count: made + index + 1,
    };
    const done = await runRequestedCall(request, step, known);
    if ('result' in done) return {...done.result, turns: turns.length};
    attempts.set(call.id, [...known, done.attempt]);
  }
  const hasMoreToDo =
    data.status === 'tool_request' || request.session.view.said.some(({after_turns}) => after_turns === turns.length);
  if (hasMoreToDo) return undefined;
  return {status: 'ended', outcome: outcomeOf(data), message: data.assistant_message.content, turns: turns.length};
}

function outcomeOf({status}: TurnData): 'reply' | 'complete' | 'escalate' {
  return status === 'complete' || status === 'escalate' ? status : 'reply';
}

/** A fixed intent takes precedence over the model's. */
function intentOf({brief}: SessionView, {intent}: TurnData): string | undefined {
  return brief.intent ?? intent;
}

async function makeTurn(
  {runtime, session, signal, onEvent}: AgentLoopRequest,
  turns: readonly TranscriptTurn[],
  tools: readonly CatalogTool[],
): Promise<TranscriptTurn | AgentLoopResult> {
  const {context, view} = session;
  const {model_profile, limits} = view.brief;
  const turn_index = turns.length;
  onEvent?.({type: 'turn_started', turn_index});
  const input = {
    session_id: view.session_id,
    ...(model_profile !== undefined && {model_profile}),
    messages: messagesOf(view, turns),
    tool_catalog: tools,
    intent_catalog: view.intent_catalog,
    stream: true,
    ...(limits !== undefined && {limits}),
  };
  const output = await runtime.executeTool(turnTool, input, {
    ...context,
    surface: 'agent',
    execution_metadata: {agent_turn_index: turn_index} satisfies RecordedMetadata,
    ...(signal && {signal}),
    onProgress: (payload) => {
      const {type, text} = Object(payload) as {readonly type?: unknown; readonly text?: unknown};
      if (type === 'text_delta' && typeof text === 'string') onEvent?.({type: 'text', turn_index, text});
    },
  });
  if (!output.success) return endOfFailedTurn(output, turns.length, signal);
  const data = output.data as TurnData;
  const receipt_id = String(output.metadata?.receipt_id);
  onEvent?.({type: 'turn_finished', turn_index, turn: data, receipt_id});
  return {data, receipt_id, attempts: new Map()};
}

/** A temporary condition of the host, for example overload, is not a failure of the session: it can continue later. */
function endOfFailedTurn({error}: ToolOutput, turns: number, signal: AbortSignal | undefined): AgentLoopResult {
  if (signal?.aborted === true || error?.code === 'TOOL_CANCELLED') return {status: 'interrupted', turns};
  if (error?.details?.['retryable'] === true) throw new AgentSessionError(error);
  const message = `${error?.code ?? 'TOOL_EXECUTION_FAILED'}: ${error?.message ?? ''}`;
  return {status: 'ended', outcome: isLimit(error) ? 'limit' : 'failed', message, turns};
}
