// Makes a call that the model requested, at most once. Its records from before a crash or an approval decide the outcome: make
// the call, answer from the record, or leave it to a person.
import type {ToolOutput} from '@lumenflow/schemas';
import type {AgentLoopResult} from './agent-event.ts';
import type {AgentLoopRequest} from './agent-loop-request.ts';
import {isLimit} from './is-limit.ts';
import type {RequestedTool} from '@lumenflow/schemas/agent-session';
import {callOutputAttempt, type CallAttempt} from './transcript.ts';
import type {RecordedMetadata} from '../sessions/recorded-metadata.ts';

export interface RequestedCall {
  readonly call: RequestedTool;
  readonly intent: string | undefined;
  readonly turn_index: number;
  /** Number of the session's calls, including this one. */
  readonly call_count: number;
}

type Done = {readonly attempt: CallAttempt} | {readonly result: Omit<AgentLoopResult, 'turns'>};

export async function runRequestedCall(
  request: AgentLoopRequest,
  step: RequestedCall,
  known: readonly CallAttempt[],
): Promise<Done> {
  const last = known.at(-1);
  if (last === undefined || last.end === 'waits') return await makeCall(request, step);
  if (last.end !== 'unknown') return {attempt: last};
  const isReadOnly = permissionOf(request, step.call) === 'read';
  const unknown = known.filter(({end}) => end === 'unknown').length;
  const decisions = decisionsOn(request, step);
  if (decisions.includes(true)) return {attempt: {...last, end: 'answered', content: happened}};
  // Each answer that the call did not happen permits one more attempt.
  if (isReadOnly || decisions.length >= unknown) return await makeCall(request, step);
  return ambiguous(request, step, last.receipt_id);
}

const happened = JSON.stringify({note: 'the result was lost; a person says that the call did happen'});

function decisionsOn({session}: AgentLoopRequest, {turn_index, call}: RequestedCall): readonly boolean[] {
  return session.view.decisions
    .filter((decision) => decision.turn_index === turn_index && decision.tool_call_id === call.id)
    .map((decision) => decision.happened);
}

function permissionOf({runtime}: AgentLoopRequest, {name}: RequestedTool): string | undefined {
  return runtime.workspace.tools.get(name)?.declaration.permission;
}

async function makeCall(request: AgentLoopRequest, step: RequestedCall): Promise<Done> {
  const {call} = step;
  for (;;) {
    request.onEvent?.({type: 'call_started', call});
    const output = await execute(request, step);
    const done = judgeCall(request, step, output);
    if (done !== 'waits') return done;
    const request_id = String(output.error?.details?.['request_id']);
    request.onEvent?.({type: 'approval_required', call, request_id});
    const answer = await request.askApproval?.({request_id, tool_name: call.name, input: call.input});
    if (answer !== 'resolved') return {result: {status: 'waiting', approvals: [request_id]}};
  }
}

function judgeCall(request: AgentLoopRequest, step: RequestedCall, output: ToolOutput): Done | 'waits' {
  const {call} = step;
  if (request.signal?.aborted === true) return {result: {status: 'interrupted'}};
  const attempt = callOutputAttempt(call, output, permissionOf(request, call) === 'read');
  if (attempt.end === 'unknown') return ambiguous(request, step, attempt.receipt_id);
  if (attempt.end === 'waits') return 'waits';
  request.onEvent?.({type: 'call_finished', call, output});
  if (isLimit(output.error)) return {result: {status: 'ended', outcome: 'limit', message: output.error?.message ?? ''}};
  return {attempt};
}

async function execute(
  {runtime, session, signal, onEvent}: AgentLoopRequest,
  step: RequestedCall,
): Promise<ToolOutput> {
  const {call, intent, turn_index, call_count} = step;
  const recorded: RecordedMetadata = {
    agent_turn_index: turn_index,
    agent_tool_call_count: call_count,
    agent_tool_call_id: call.id,
  };
  return await runtime.executeTool(call.name, call.input, {
    ...session.context,
    surface: 'agent',
    execution_metadata: {...(intent !== undefined && {agent_intent: intent}), ...recorded},
    ...(signal && {signal}),
    onProgress: (payload) => onEvent?.({type: 'call_progress', call, payload}),
  });
}

function ambiguous({onEvent}: AgentLoopRequest, {call, turn_index}: RequestedCall, receipt_id: string): Done {
  onEvent?.({type: 'call_ambiguous', call, turn_index, receipt_id});
  const ambiguous_call = `${turn_index}/${call.id}`;
  const message =
    `it is unknown whether \`${call.name}\` happened (call \`${ambiguous_call}\`, receipt ${receipt_id}): ` +
    'check, and report the outcome when you resume the session';
  return {result: {status: 'ended', outcome: 'ambiguous', message, ambiguous_call}};
}
