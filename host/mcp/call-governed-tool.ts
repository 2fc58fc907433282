// tools/call: one governed call in the session, its outcome told in both of the ways that MCP has: text and structure.
import type {ToolFailure, ToolOutput} from '@lumenflow/schemas';
import {
  ProtocolError,
  ProtocolErrorCode,
  type CallToolRequest,
  type CallToolResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type {Conversation} from './conversation.ts';
import {failureContent} from './failure-content.ts';
import {createProgress} from './progress-params.ts';
import {approvalUri} from './resources/resource-uri.ts';
import {fromMcpName} from './tool-name.ts';

export async function callGovernedTool(
  {runtime, session}: Conversation,
  {params}: CallToolRequest,
  context: ServerContext,
): Promise<CallToolResult> {
  const tool = fromMcpName(params.name);
  const input = params.arguments ?? {};
  const {signal} = context.mcpReq;
  const {sent, ...reports} = reportTo(context);
  const output = await session.call(tool, input, {signal, ...reports});
  await sent();
  const {error} = output;
  if (output.success || !error) return succeeded(output.data);
  // A name that nobody offered is the client's mistake; that it was asked for is recorded all the same.
  if (error.code === 'TOOL_NOT_FOUND' && !runtime.workspace.tools.has(tool)) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message, failureContent(error, output, undefined));
  }
  return failed(error, output, await remedyOf(session, {tool, input, error}));
}

interface Reports {
  onProgress?(payload: unknown): void;
  /** Once all of them are on their way: a client stops listening with the result. */
  sent(): Promise<unknown>;
}

/** On the stream of the request that asked for it. */
function reportTo({mcpReq}: ServerContext): Reports {
  const {_meta: meta} = mcpReq;
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return {sent: () => Promise.resolve()};
  const next = createProgress();
  const reports: Promise<void>[] = [];
  return {
    onProgress(payload) {
      const params = {progressToken, ...next(payload)};
      reports.push(mcpReq.notify({method: 'notifications/progress', params}));
    },
    // A client that is gone misses them; the call's own signal tells the handler.
    sent: () => Promise.allSettled(reports),
  };
}

function succeeded(data: unknown): CallToolResult {
  const isObject = typeof data === 'object' && data !== null && !Array.isArray(data);
  const text = typeof data === 'string' ? data : JSON.stringify(data ?? null);
  return {
    content: [{type: 'text', text}],
    ...(isObject && {structuredContent: data}),
  };
}

function failed(error: ToolFailure, output: ToolOutput, remedy: string | undefined): CallToolResult {
  const structuredContent = failureContent(error, output, remedy);
  const text = [
    `${error.code}: ${error.message}`,
    ...(structuredContent.remedy === undefined ? [] : [structuredContent.remedy]),
  ];
  return {content: [{type: 'text', text: text.join('\n')}], structuredContent, isError: true};
}

interface FailedCall {
  readonly tool: string;
  readonly input: unknown;
  readonly error: ToolFailure;
}

/** Only policy knows what would change its mind; other failures bring their remedy along. */
async function remedyOf(
  session: Conversation['session'],
  {tool, input, error: {code, details}}: FailedCall,
): Promise<string | undefined> {
  if (code === 'APPROVAL_REQUIRED') {
    const uri = approvalUri(String(details?.['request_id']));
    return `make the very same call again once a person has approved it: \`${uri}\` tells when`;
  }
  if (code !== 'POLICY_DENIED' || details?.['rejected_by'] !== undefined) return undefined;
  const {policy} = await session.explain(tool, input);
  return policy?.would_change[0];
}
