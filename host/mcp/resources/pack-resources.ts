// Tools that are offered as resources, at a fixed URI or a URI template. Reading one is a governed call with the template's
// variables as input.
import type {GovernedTool} from '@lumenflow/kernel';
import {
  UriTemplate,
  type InputRequiredResult,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server';
import type {Conversation} from '../conversation.ts';
import {protocolFailure} from '../protocol-failure.ts';
import {callWithConsent, type GovernedRequest} from '../call-with-consent.ts';
import {isResourceResult, misshapen} from '../offered-result.ts';
import {offeredAs} from '../offers.ts';
import {clientText, type ToolNames} from '../client-text.ts';
import {mentionableTools} from '../mentionable-tools.ts';
import {toMcpName} from '../tool-name.ts';
import {tooLarge} from '../too-large.ts';

export async function packResources(conversation: Conversation): Promise<readonly Resource[]> {
  return (await addresses(conversation)).filter(({uri}) => !UriTemplate.isTemplate(uri));
}

export async function packTemplates(conversation: Conversation): Promise<readonly ResourceTemplateType[]> {
  const found = await addresses(conversation);
  return found.flatMap(({uri, ...about}) => (UriTemplate.isTemplate(uri) ? {...about, uriTemplate: uri} : []));
}

type Address = Pick<Resource, 'uri' | 'name' | 'title' | 'description' | 'mimeType'>;

async function addresses(conversation: Conversation): Promise<readonly Address[]> {
  const names = mentionableTools(conversation);
  return (await offeredAs(conversation, 'resource')).flatMap(
    (governed) => listedBy(governed) ?? {...about(governed, names), uri: uriOf(governed)},
  );
}

/** What a tool lists in place of its own address. */
function listedBy(governed: GovernedTool): readonly Address[] | undefined {
  const prefix = uriOf(governed).replace(/\{\+[^}]*\}$/u, '');
  return governed.tool.declaration.mcp?.lists?.map(({uri, name, description, mime_type}) => ({
    uri: `${prefix}${uri}`,
    name,
    ...(description !== undefined && {description}),
    ...(mime_type !== undefined && {mimeType: mime_type}),
  }));
}

/** Undefined when no tool has the URI. Throws ProtocolError when the call is rejected or fails. */
export async function readPackResource(
  conversation: Conversation,
  uri: string,
  from: Pick<GovernedRequest, 'context' | 'capabilities'>,
): Promise<ReadResourceResult | InputRequiredResult | undefined> {
  for (const tool of conversation.runtime.workspace.tools.values()) {
    const {mcp} = tool.declaration;
    const args = mcp?.kind === 'resource' ? new UriTemplate(mcp.uri ?? '').match(uri) : null;
    if (args) return await read(conversation, {...from, name: toMcpName(tool.name), args});
  }
  return undefined;
}

async function read(
  conversation: Conversation,
  request: GovernedRequest,
): Promise<ReadResourceResult | InputRequiredResult> {
  const answer = await callWithConsent(conversation, request);
  if (answer.kind === 'question') return answer.question;
  if (answer.kind === 'failure') throw protocolFailure(answer.failure);
  const {data, output} = answer;
  if (!isResourceResult(data)) throw protocolFailure(misshapen(request.name, 'resource'));
  const failure = tooLarge(data, output.metadata?.receipt_id, conversation.messageMax);
  if (failure !== undefined) throw protocolFailure(failure);
  return data;
}

function about({tool}: GovernedTool, names: ToolNames): Omit<Address, 'uri'> {
  const {description, mcp} = tool.declaration;
  return {
    name: toMcpName(tool.name),
    title: tool.name,
    description: clientText(description, names),
    ...(mcp?.mime_type !== undefined && {mimeType: mcp.mime_type}),
  };
}

function uriOf({tool}: GovernedTool): string {
  return tool.declaration.mcp?.uri ?? '';
}
