// tools/call: one governed call in the session. Returns its outcome as text and as structured content.
import {type CallToolRequest, type CallToolResult, type InputRequiredResult} from '@modelcontextprotocol/server';
import type {Conversation} from './conversation.ts';
import {clientData} from './client-data.ts';
import {isDryRun, withChanges} from './dry-run.ts';
import {dataResult, withinMessage} from './data-result.ts';
import {failedCall} from './failed-call.ts';
import {mentionableTools} from './mentionable-tools.ts';
import {callWithConsent, type GovernedRequest} from './call-with-consent.ts';
import {isToolResult, misshapen} from './offered-result.ts';

/** Throws ProtocolError for an unknown tool, and for an answer to a question that is not open. */
export async function handleToolsCall(
  conversation: Conversation,
  {params}: CallToolRequest,
  from: Pick<GovernedRequest, 'context' | 'capabilities'>,
): Promise<CallToolResult | InputRequiredResult> {
  const {name, _meta: meta} = params;
  const dryRun = isDryRun(meta);
  const answer = await callWithConsent(conversation, {...from, name, args: params.arguments ?? {}, dryRun});
  if (answer.kind === 'question') return answer.question;
  if (answer.kind === 'failure') return failedCall(answer.failure);
  const {declaration, output} = answer;
  const data = clientData(answer.data, declaration?.output_schema, mentionableTools(conversation));
  if (declaration?.mcp && !isToolResult(data)) return failedCall(misshapen(name, declaration.mcp.kind));
  const receiptId = output.metadata?.receipt_id;
  const result = declaration?.mcp && isToolResult(data) ? data : dataResult(data, receiptId);
  const whole = dryRun ? await withChanges(conversation, result, output) : result;
  return withinMessage(whole, receiptId, conversation.messageMax);
}
