// The messages and calls of a session, read from the evidence of its task, which is their only record. So a loop that was killed
// at any point continues from exactly what happened.
import {cutText} from '@lumenflow/kernel';
import type {KernelRuntime, Receipt} from '@lumenflow/kernel';
import type {ToolOutput} from '@lumenflow/schemas';
import type {Message, RequestedTool, SessionView, TurnData} from '@lumenflow/schemas/agent-session';
import {turnTool} from './turn-tool.ts';

/** One attempt at a call that the model requested. */
export interface CallAttempt {
  readonly receipt_id: string;
  readonly tool_name: string;
  /** `unknown`: it may have happened, but its outcome was not recorded. */
  readonly end: 'answered' | 'denied' | 'waits' | 'unknown';
  /** Text for the model. */
  readonly content: string;
}

export interface TranscriptTurn {
  readonly data: TurnData;
  readonly receipt_id: string;
  /** Attempts by the id of the requested call, oldest first. */
  readonly attempts: Map<string, readonly CallAttempt[]>;
}

/** Oldest first. */
export async function readTranscript(
  {evidence}: Pick<KernelRuntime, 'evidence'>,
  taskId: string,
): Promise<readonly TranscriptTurn[]> {
  const {receipts} = await evidence.readTracesByTaskId(taskId);
  const oldestFirst = receipts.toReversed();
  const turns: TranscriptTurn[] = [];
  for (const receipt of oldestFirst) {
    const index = numberIn(receipt, 'agent_turn_index');
    const isTurn = receipt.started.tool_name === turnTool && numberIn(receipt, 'agent_tool_call_count') === undefined;
    if (!isTurn || index !== turns.length || receipt.finished?.result !== 'success') continue;
    const text = await evidence.readBlob(receipt.finished.output_ref ?? '');
    // A session cannot continue from a turn whose content was redacted, so the turn is repeated.
    if (text === undefined) break;
    const asked = oldestFirst.filter((call) => isCallOf(call, index));
    const attempts = new Map<string, readonly CallAttempt[]>();
    for (const call of asked) {
      const id = String(call.started.execution_metadata?.['agent_tool_call_id']);
      attempts.set(id, [...(attempts.get(id) ?? []), await toAttempt(evidence, call)]);
    }
    turns.push({data: JSON.parse(text) as TurnData, receipt_id: receipt.receipt_id, attempts});
  }
  return turns;
}

/** The conversation so far, including messages from persons. */
export function messagesOf({messages, said}: SessionView, turns: readonly TranscriptTurn[]): readonly Message[] {
  return [
    ...messages,
    ...turns.flatMap(({data, attempts}, index): Message[] => [
      data.assistant_message,
      ...data.requested_tools.map(({id}): Message => ({
        role: 'tool',
        tool_call_id: id,
        content: attempts.get(id)?.at(-1)?.content ?? '',
      })),
      ...said
        .filter(({after_turns}) => after_turns === index + 1)
        .map(({content, by}): Message => ({role: 'user', content: attributed(content, by)})),
    ]),
  ];
}

/** Marks a later message with its author, on a line that nobody else can write, to distinguish it from the task. */
function attributed(content: string, by = 'unknown'): string {
  return `[Message from \`${by}\`, added by LumenFlow]\n${content}`;
}

/** The model's view of a call's result; a denial is information like any other. */
function contentOf({success, data, error}: Pick<ToolOutput, 'success' | 'data' | 'error'>): string {
  return success ? shorten(JSON.stringify(data ?? null)) : failureContent(error?.code ?? '', error?.message ?? '');
}

export function callOutputAttempt(tool: RequestedTool, output: ToolOutput, isReadOnly: boolean): CallAttempt {
  const code = output.error?.code;
  const end = code === 'APPROVAL_REQUIRED' ? 'waits' : code === 'TOOL_CRASHED' && !isReadOnly ? 'unknown' : 'answered';
  return {
    receipt_id: output.metadata?.receipt_id ?? '',
    tool_name: tool.name,
    end: code === 'POLICY_DENIED' || code === 'SCOPE_DENIED' ? 'denied' : end,
    content: contentOf(output),
  };
}

const cancelledCode = 'TOOL_CANCELLED';

async function toAttempt(
  evidence: KernelRuntime['evidence'],
  {receipt_id, started, finished}: Receipt,
): Promise<CallAttempt> {
  const attempt = {receipt_id, tool_name: started.tool_name};
  if (finished === undefined || finished.result === 'crashed') return {...attempt, end: 'unknown', content: ''};
  const {result, error_code: code = '', error_message: message = '', output_ref} = finished;
  if (result !== 'success') {
    // The process that made it was told to stop, and the handler may have done its work before.
    if (code === cancelledCode) return {...attempt, end: 'unknown', content: failureContent(code, message)};
    const end = code === 'APPROVAL_REQUIRED' ? 'waits' : result === 'denied' ? 'denied' : 'answered';
    return {...attempt, end, content: failureContent(code, message)};
  }
  const text = output_ref === undefined ? 'null' : await evidence.readBlob(output_ref);
  return {...attempt, end: 'answered', content: shorten(text ?? '(redacted)')};
}

function failureContent(code: string, message: string): string {
  return shorten(JSON.stringify({error: {code, message}}));
}

const contentLengthMax = 32 * 1024;

function shorten(text: string): string {
  return text.length <= contentLengthMax
    ? text
    : `${cutText(text, contentLengthMax)}… (${text.length} characters in all)`;
}

function isCallOf(receipt: Receipt, turnIndex: number): boolean {
  return (
    numberIn(receipt, 'agent_turn_index') === turnIndex && numberIn(receipt, 'agent_tool_call_count') !== undefined
  );
}

function numberIn({started}: Receipt, key: string): number | undefined {
  const value = started.execution_metadata?.[key];
  return typeof value === 'number' ? value : undefined;
}
