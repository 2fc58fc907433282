// One governed call of a tool, prompt or resource for a client. Questions from policy or from the handler are sent to the client
// in the protocol's form, and the client repeats the call with the answers.
import type {StandingApproval} from '@lumenflow/kernel';
import type {ToolDeclaration, ToolFailure, ToolOutput} from '@lumenflow/schemas';
import {
  isInputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type ClientCapabilities,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type {Conversation} from './conversation.ts';
import {canAnswer, declaredCapabilities} from './client-capabilities.ts';
import {advised} from './advised.ts';
import {failureContent, type FailureContent, type GovernedFailure} from './failure-content.ts';
import {reportTo} from './report-to.ts';
import {ownApprovals} from './own-approvals.ts';
import {mentionableTools} from './mentionable-tools.ts';
import {fromMcpName, toMcpName} from './tool-name.ts';
import {withoutCarried, type CarriedInput, type SealedState} from './request-state.ts';

export interface GovernedRequest {
  /** Of the tool, as the client writes it. */
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly context: ServerContext;
  /** A dry run: only the changes are requested. */
  readonly dryRun?: boolean;
  /** For a client that completed the handshake. */
  readonly capabilities: ClientCapabilities | undefined;
}

export type GovernedAnswer =
  | {readonly kind: 'question'; readonly question: InputRequiredResult}
  | {readonly kind: 'failure'; readonly failure: FailureContent}
  | {
      readonly kind: 'result';
      readonly data: unknown;
      readonly declaration: ToolDeclaration | undefined;
      readonly output: ToolOutput;
    };

/** Throws ProtocolError for an unknown tool, and for an answer to a question that is not open. */
export async function callWithConsent(conversation: Conversation, request: GovernedRequest): Promise<GovernedAnswer> {
  const {name, context} = request;
  const tool = fromMcpName(name);
  const declaration = conversation.runtime.workspace.tools.get(tool)?.declaration;
  const carried = declaration?.mcp ? carriedBy(request) : {};
  const input = declaration?.mcp ? {...withoutCarried(request.args), ...carried} : request.args;
  const isAnswered = await conversation.consents.settle(context);
  const {sent, ...reports} = reportTo(context);
  const output = await conversation.session.call(tool, input, {
    signal: context.mcpReq.signal,
    ...(request.dryRun === true && {dry_run: true}),
    ...reports,
  });
  await sent();
  const {data, error} = output;
  if (error)
    return await refusedOrFailed(conversation, {...request, tool, input, carried, isAnswered}, {error, output});
  if (!declaration?.mcp || !isInputRequiredResult(data)) return {kind: 'result', data, declaration, output};
  return {kind: 'question', question: await sealed(conversation, request, data)};
}

interface MadeCall extends GovernedRequest {
  readonly tool: string;
  /** The input that the handler received. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly carried: CarriedInput;
  /** Whether a person was asked to approve it. */
  readonly isAnswered: boolean;
}

async function refusedOrFailed(
  conversation: Conversation,
  call: MadeCall,
  failure: GovernedFailure,
): Promise<GovernedAnswer> {
  const {error} = failure;
  // An unknown name is the client's mistake; the request is recorded anyway. A former name fails with the current one.
  const isUnknown = !conversation.runtime.workspace.tools.has(call.tool) && error.details?.['renamed_to'] === undefined;
  if (error.code === 'TOOL_NOT_FOUND' && isUnknown) {
    const message = unknownTool(call.name, error.details?.['nearest']);
    // As the client wrote it, also if it is the name of a tool elsewhere.
    const content = {...failureContent(failure, mentionableTools(conversation)), message};
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message, content);
  }
  const approval = error.code === 'APPROVAL_REQUIRED' ? approvalIn(conversation, error) : undefined;
  // A person who dismissed the question is not asked again for the same call.
  const question = approval && !call.isAnswered ? await conversation.consents.ask({...call, approval}) : undefined;
  if (question) return {kind: 'question', question};
  return {kind: 'failure', failure: await advised(conversation, {...call, ...failure})};
}

function unknownTool(name: string, nearest: unknown): string {
  const hint =
    typeof nearest === 'string' ? `did you mean \`${toMcpName(nearest)}\`?` : '`tools/list` returns all tools';
  return `there is no tool \`${name}\`: ${hint}`;
}

function carriedBy({name, context: {mcpReq}}: GovernedRequest): CarriedInput {
  const {inputResponses} = mcpReq;
  const state = mcpReq.requestState<SealedState>();
  if (state && state.tool !== fromMcpName(name)) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `the requestState is of \`${toMcpName(state.tool)}\`, not of \`${name}\``,
    );
  }
  const answers = state?.consent || inputResponses === undefined ? {} : {input_responses: inputResponses};
  return {...state?.carried, ...answers};
}

/** A handler's questions that the client can answer, with the handler's state sealed. */
async function sealed(
  {seal}: Conversation,
  {name, context, capabilities}: GovernedRequest,
  {requestState, inputRequests = {}, ...asked}: InputRequiredResult,
): Promise<InputRequiredResult> {
  const declared = declaredCapabilities(context, capabilities);
  const answerable = Object.entries(inputRequests).filter(([, {method}]) => canAnswer(method, declared));
  const carried = requestState === undefined ? {} : {request_state: requestState};
  return {
    ...asked,
    // If none is left, the SDK rejects the request and lists the capabilities that the client would have to declare.
    inputRequests: answerable.length > 0 ? Object.fromEntries(answerable) : inputRequests,
    requestState: await seal.mint({tool: fromMcpName(name), carried}, context),
  };
}

function approvalIn(conversation: Conversation, {details}: ToolFailure): StandingApproval | undefined {
  return ownApprovals(conversation).find(({request_id}) => request_id === details?.['request_id']);
}
