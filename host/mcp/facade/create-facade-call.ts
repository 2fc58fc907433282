// tools/call of a tool of the facade. What it runs takes the same way as a call by name.
import type {SchemaIssue, ValueValidator} from '@lumenflow/kernel/adapters';
import {createSchemaCompiler} from '@lumenflow/kernel/node';
import type {CodeRequest, ToolChain} from '@lumenflow/schemas';
import {
  ProtocolError,
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
} from '@modelcontextprotocol/server';
import type {DocOptions, SearchOptions} from '../../exec/index.ts';
import type {GovernedRequest} from '../call-with-consent.ts';
import type {Conversation} from '../conversation.ts';
import {dataResult} from '../data-result.ts';
import {failedCall} from '../failed-call.ts';
import {failureContent, type FailureContent} from '../failure-content.ts';
import {handleToolsCall} from '../handle-tools-call.ts';
import {mentionableTools} from '../mentionable-tools.ts';
import {toMcpName} from '../tool-name.ts';
import {clientDoc, clientSummary} from './client-doc.ts';
import {facadeTools} from './facade-tools.ts';
import {runClientChain} from './run-client-chain.ts';
import {runClientCode} from './run-client-code.ts';
import {checkClientProgram, runClientProgram} from './client-program.ts';
import {toolIdOf} from './tool-id-of.ts';

export type CallFrom = Pick<GovernedRequest, 'context' | 'capabilities'>;
type CallResult = Promise<CallToolResult | InputRequiredResult>;
type Call = (conversation: Conversation, request: CallToolRequest, from: CallFrom) => CallResult;

/** Calls a tool of the facade, or any other by its name. Throws as `handleToolsCall` does. */
export function createFacadeCall(): Call {
  const compiler = createSchemaCompiler();
  const validators = new Map<string, ValueValidator>(
    facadeTools.map(({name, inputSchema}) => [name, compiler.compileLater(inputSchema)]),
  );
  return async (conversation, request, from) => {
    const {name, arguments: args = {}} = request.params;
    const call = calls[name];
    const [issue] = validators.get(name)?.(args) ?? [];
    if (call === undefined) return await handleToolsCall(conversation, request, from);
    return issue === undefined ? await call(conversation, request, from) : failedCall(misfit(name, issue));
  };
}

const calls: Readonly<Record<string, Call | undefined>> = {
  async search_tools({exec, ...conversation}, {params}) {
    const {query, ...options} = params.arguments as unknown as SearchOptions & {readonly query: string};
    const names = mentionableTools(conversation);
    const found = await exec.searchTools(query, options);
    return dataResult({tools: found.map((summary) => clientSummary(summary, names))}, undefined);
  },
  async get_tool_doc({exec, ...conversation}, {params}) {
    const {tool, ...options} = params.arguments as unknown as DocOptions & {readonly tool: string};
    const names = mentionableTools(conversation);
    const id = toolIdOf(tool);
    const found = await exec.getToolDoc(id, options);
    if (found.ok) return dataResult(clientDoc(found.value, names), undefined);
    // No tool has the name, so that the client's texts do not contain it as a tool's.
    const error = {...found.problem, message: found.problem.message.replace(`\`${id}\``, `\`${tool}\``)};
    return failedCall(failureContent({error, output: {success: false, error}}, names));
  },
  async run_tool(conversation, request, from) {
    const {tool, args = {}} = request.params.arguments as unknown as {
      readonly tool: string;
      readonly args?: Record<string, unknown>;
    };
    const params = {...request.params, name: toMcpName(toolIdOf(tool)), arguments: args};
    try {
      return await handleToolsCall(conversation, {...request, params}, from);
    } catch (error) {
      // A model reads results; many clients show it no errors of the protocol.
      if (error instanceof ProtocolError && isUnknownTool(error.data)) return failedCall(error.data);
      throw error;
    }
  },
  check_program: checkClientProgram,
  run_program: runClientProgram,
  run_chain: (conversation, {params}, {context}) => {
    const {arguments: chain, _meta: meta} = params;
    return runClientChain(conversation, {chain: chain as unknown as ToolChain, meta, context});
  },
  run_code: (conversation, {params}, {context}) => {
    const {arguments: request, _meta: meta} = params;
    return runClientCode(conversation, {request: request as unknown as CodeRequest, meta, context});
  },
};

function isUnknownTool(data: unknown): data is FailureContent {
  return (data as Partial<FailureContent> | undefined)?.code === 'TOOL_NOT_FOUND';
}

function misfit(name: string, {pointer, message}: SchemaIssue): FailureContent {
  return {code: 'INVALID_INPUT', message: `the arguments of \`${name}\`: ${[pointer, message].join(' ').trim()}`};
}
