// tools/call: one governed call in the session, its outcome told in both of the ways that MCP has: text and structure.
import type {ApprovalRecord} from '@lumenflow/kernel';
import type {ToolFailure, ToolOutput} from '@lumenflow/schemas';
import {
  ProtocolError,
  ProtocolErrorCode,
  type CallToolRequest,
  type CallToolResult,
  type ClientCapabilities,
  type ContentBlock,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type {Conversation} from './conversation.ts';
import {failureContent} from './failure-content.ts';
import {createProgress} from './progress-params.ts';
import {approvalsOf} from './resources/read-resource.ts';
import {approvalUri} from './resources/resource-uri.ts';
import {fromMcpName} from './tool-name.ts';

export interface ToolRequest {
  readonly request: CallToolRequest;
  readonly context: ServerContext;
  /** Of a client that shook hands. */
  readonly capabilities: ClientCapabilities | undefined;
}

/** Throws ProtocolError for a tool that there is not, and for an answer to no open question. */
export async function callGovernedTool(
  conversation: Conversation,
  {request: {params}, context, capabilities}: ToolRequest,
): Promise<CallToolResult | InputRequiredResult> {
  const {runtime, session, consents} = conversation;
  const tool = fromMcpName(params.name);
  const input = params.arguments ?? {};
  const {signal} = context.mcpReq;
  const isAnswered = await consents.settle(context);
  const {sent, ...reports} = reportTo(context);
  const output = await session.call(tool, input, {signal, ...reports});
  await sent();
  const {error} = output;
  if (output.success || !error) return succeeded(output.data);
  // A name that nobody offered is the client's mistake; that it was asked for is recorded all the same.
  if (error.code === 'TOOL_NOT_FOUND' && !runtime.workspace.tools.has(tool)) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message, failureContent(error, output, undefined));
  }
  const approval = error.code === 'APPROVAL_REQUIRED' ? approvalIn(conversation, error) : undefined;
  // Who put the question away is not asked it again for the same call.
  const question = approval && !isAnswered ? await consents.ask({approval, input, context, capabilities}) : undefined;
  return question ?? failed(error, output, await remedyOf(session, {tool, input, error}));
}

function approvalIn(conversation: Conversation, {details}: ToolFailure): ApprovalRecord | undefined {
  return approvalsOf(conversation).find(({request_id}) => request_id === details?.['request_id']);
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
  const {request_id} = error.details ?? {};
  return {
    content: [{type: 'text', text: text.join('\n')}, ...(typeof request_id === 'string' ? [linkTo(request_id)] : [])],
    structuredContent,
    isError: true,
  };
}

function linkTo(requestId: string): ContentBlock {
  return {
    type: 'resource_link',
    uri: approvalUri(requestId),
    name: `request ${requestId}`,
    mimeType: 'application/json',
  };
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
