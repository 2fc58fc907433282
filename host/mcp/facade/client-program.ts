// check_program and run_program: programs with the tools' names as clients write them.
import type {Outcome} from '@lumenflow/kernel';
import type {Program, ProgramRun, ToolFailure} from '@lumenflow/schemas';
import type {CallToolRequest, CallToolResult} from '@modelcontextprotocol/server';
import type {GovernedRequest} from '../call-with-consent.ts';
import {clientTexts} from '../client-text.ts';
import type {Conversation} from '../conversation.ts';
import {dataResult, withinMessage} from '../data-result.ts';
import {failedCall} from '../failed-call.ts';
import {failureContent, type FailureContent} from '../failure-content.ts';
import {mentionableTools} from '../mentionable-tools.ts';
import {toMcpName} from '../tool-name.ts';
import {toolIdOf} from './tool-id-of.ts';

export async function checkClientProgram(
  {exec, ...conversation}: Conversation,
  {params}: CallToolRequest,
): Promise<CallToolResult> {
  const {program} = params.arguments as unknown as {readonly program: Program};
  const check = await exec.checkProgram(withToolIds(program) as Program);
  const calls = check.calls.map(({tool_id, ...call}) => ({tool: toMcpName(tool_id), ...call}));
  return dataResult(clientTexts({...check, calls}, mentionableTools(conversation)), undefined);
}

interface RunArguments {
  readonly program?: Program;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly run_id?: string;
}

export async function runClientProgram(
  conversation: Conversation,
  {params}: CallToolRequest,
  {context}: Pick<GovernedRequest, 'context'>,
): Promise<CallToolResult> {
  const {program, inputs, run_id} = params.arguments as RunArguments;
  const {exec, messageMax} = conversation;
  const options = {signal: context.mcpReq.signal};
  if ((program === undefined) === (run_id === undefined)) return failedCall(oneOfThem);
  const run =
    program === undefined
      ? await exec.resumeProgram(run_id ?? '', options)
      : await exec.runProgram({program: withToolIds(program) as Program, inputs}, options);
  return withinMessage(resultOf(conversation, run), undefined, messageMax);
}

const oneOfThem: FailureContent = {
  code: 'INVALID_INPUT',
  message: '`run_program` requires either `program` or `run_id`',
  remedy: 'pass `program` to start a run, or only the `run_id` of an earlier result to resume it',
};

function resultOf(conversation: Conversation, run: Outcome<ProgramRun, ToolFailure>): CallToolResult {
  const names = mentionableTools(conversation);
  if (!run.ok)
    return failedCall(failureContent({error: run.problem, output: {success: false, error: run.problem}}, names));
  const {steps, ...record} = run.value;
  const calls = steps.flatMap(({tool_id, kind: _kind, ...step}) =>
    tool_id === undefined ? [] : [{tool: toMcpName(tool_id), ...step}],
  );
  const next = record.state === 'waiting' && {
    next: 'a person must answer the approvals; then call run_program with the run_id, which also returns the record of a run that is over',
  };
  const shown = dataResult(clientTexts({...record, ...next, calls}, names), undefined);
  return {...shown, ...(record.state === 'failed' && {isError: true})};
}

/** `call: file_read` as `call: file:read`, in steps at any depth. Values of arguments stay as they are. */
function withToolIds(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withToolIds);
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => {
      if (key === 'call' && typeof value === 'string') return [key, toolIdOf(value)];
      return [key, data.has(key) ? value : withToolIds(value)];
    }),
  );
}

const data = new Set(['args', 'let', 'return', 'collect', 'is', 'inputs']);
