// run_chain: a chain of calls in the client's session. A chain does not ask the client: a step that needs approval ends it.
import type {ChainResult, ToolChain} from '@lumenflow/schemas';
import {ProtocolError, ProtocolErrorCode, type CallToolResult, type ServerContext} from '@modelcontextprotocol/server';
import {advised} from '../advised.ts';
import {clientTexts, type ToolNames} from '../client-text.ts';
import type {Conversation} from '../conversation.ts';
import {dataResult, withinMessage} from '../data-result.ts';
import {isDryRun} from '../dry-run.ts';
import {mentionableTools} from '../mentionable-tools.ts';
import {reportTo} from '../report-to.ts';
import {toMcpName} from '../tool-name.ts';
import {toolIdOf} from './tool-id-of.ts';

interface ClientChain {
  readonly chain: ToolChain;
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  readonly context: ServerContext;
}

export async function runClientChain(
  conversation: Conversation,
  {chain: {steps, limits}, meta, context}: ClientChain,
): Promise<CallToolResult> {
  if (isDryRun(meta)) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, '`run_chain` has no dry run: call its tools one by one');
  }
  const {sent, onProgress} = reportTo(context);
  const named = steps.map((step) => ({...step, tool: toolIdOf(step.tool)}));
  const result = await conversation.exec.runChain(named, {
    limits,
    signal: context.mcpReq.signal,
    ...(onProgress && {on_progress: (payload: unknown) => onProgress(payload)}),
  });
  await sent();
  const names = mentionableTools(conversation);
  const remedy = await remedyOf(conversation, result);
  const shown = dataResult({...clientResult(result, names), ...(remedy !== undefined && {remedy})}, undefined);
  return withinMessage({...shown, ...(result.error && {isError: true})}, undefined, conversation.messageMax);
}

function clientResult({steps, error, ...rest}: ChainResult, names: ToolNames): object {
  return {
    ...rest,
    ...(error && {error: clientTexts(error, names)}),
    steps: steps.map(({tool_id, error: failure, ...step}) => ({
      tool: toMcpName(tool_id),
      ...step,
      ...(failure && {error: clientTexts(failure, names)}),
    })),
  };
}

/** What would allow the step that ended the chain. */
async function remedyOf(conversation: Conversation, {steps, error}: ChainResult): Promise<string | undefined> {
  const failed = steps.findLast(({status}) => status === 'failed');
  if (!error || failed?.error === undefined || failed.error.code !== error.code) return undefined;
  const call = {tool: failed.tool_id, input: undefined, error: failed.error};
  return (await advised(conversation, {...call, output: {success: false, error: failed.error}})).remedy;
}
