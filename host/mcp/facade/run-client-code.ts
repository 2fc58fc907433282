// run_code: code in the client's session. It does not ask the client: a call that needs approval fails in the code.
import type {CodeRequest, CodeResult} from '@lumenflow/schemas';
import {ProtocolError, ProtocolErrorCode, type CallToolResult, type ServerContext} from '@modelcontextprotocol/server';
import {clientTexts, type ToolNames} from '../client-text.ts';
import type {Conversation} from '../conversation.ts';
import {dataResult, withinMessage} from '../data-result.ts';
import {isDryRun} from '../dry-run.ts';
import {mentionableTools} from '../mentionable-tools.ts';
import {reportTo} from '../report-to.ts';
import {toMcpName} from '../tool-name.ts';
import {failedCall} from '../failed-call.ts';
import type {FailureContent} from '../failure-content.ts';
import {allowedTools} from './allowed-tools.ts';

interface ClientCode {
  readonly request: CodeRequest;
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  readonly context: ServerContext;
}

export async function runClientCode(
  conversation: Conversation,
  {request, meta, context}: ClientCode,
): Promise<CallToolResult> {
  if (isDryRun(meta)) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, '`run_code` has no dry run: call its tools one by one');
  }
  const {sent, onProgress} = reportTo(context);
  const allow = request.allow && allowedTools(request.allow);
  if (allow?.ok === false) return failedCall(notAllowable(allow.problem));
  const result = await conversation.exec.runCode(
    {...request, ...(allow && {allow: [...allow.value]})},
    {signal: context.mcpReq.signal, ...(onProgress && {on_progress: onProgress})},
  );
  await sent();
  const shown = dataResult(clientResult(result, mentionableTools(conversation)), result.receipt_id);
  return withinMessage({...shown, ...(result.error && {isError: true})}, result.receipt_id, conversation.messageMax);
}

function notAllowable(entry: string): FailureContent {
  return {
    code: 'INVALID_INPUT',
    message: `\`${entry}\` in \`allow\` is not a tool, a namespace or \`*\``,
    remedy: 'write a name such as `file_read`, a namespace such as `file_*`, or `*`',
  };
}

/** Without the limits, which the client knows or did not set. */
function clientResult({calls, error, limits: _limits, ...rest}: CodeResult, names: ToolNames): object {
  return {
    ...rest,
    ...(error && {error: clientTexts(error, names)}),
    calls: calls.map(({tool_id, error: failure, ...call}) => ({
      tool: toMcpName(tool_id),
      ...call,
      ...(failure && {error: clientTexts(failure, names)}),
    })),
  };
}
