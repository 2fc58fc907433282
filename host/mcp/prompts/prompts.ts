// prompts/list and prompts/get: tools that return messages. Getting a prompt is a governed call like any other.
import type {GovernedTool} from '@lumenflow/kernel';
import {
  type GetPromptRequest,
  type GetPromptResult,
  type InputRequiredResult,
  type Prompt,
} from '@modelcontextprotocol/server';
import {followReference} from '../../packs/schemas/follow-reference.ts';
import type {Schema} from '../../packs/schemas/schema-keywords.ts';
import type {Conversation} from '../conversation.ts';
import {protocolFailure} from '../protocol-failure.ts';
import {callWithConsent, type GovernedRequest} from '../call-with-consent.ts';
import {isPromptResult, misshapen} from '../offered-result.ts';
import {clientInput, offeredAs} from '../offers.ts';
import {mentionableTools} from '../mentionable-tools.ts';
import {clientText, type ToolNames} from '../client-text.ts';
import {toMcpName} from '../tool-name.ts';
import {tooLarge} from '../too-large.ts';

/** Sorted by name. */
export async function listPrompts(conversation: Conversation): Promise<readonly Prompt[]> {
  const offered = await offeredAs(conversation, 'prompt');
  const names = mentionableTools(conversation);
  return offered
    .map((governed) => describePrompt(governed, names))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

function describePrompt({tool}: GovernedTool, names: ToolNames): Prompt {
  const {description, input_schema} = tool.declaration;
  const inWords = (text: string): string => clientText(text, names);
  const required = (input_schema?.['required'] ?? []) as readonly string[];
  const args = Object.entries(argumentsOf(input_schema)).map(([name, schema]) => ({
    name,
    required: required.includes(name),
    ...(typeof schema['description'] === 'string' && {description: inWords(schema['description'])}),
  }));
  return {
    name: toMcpName(tool.name),
    title: tool.name,
    description: inWords(description),
    ...(args.length > 0 && {arguments: args}),
  };
}

/** The values that an argument's schema lists. */
export function promptValues({tool}: GovernedTool, argument: string): readonly string[] {
  const listed = argumentsOf(tool.declaration.input_schema)[argument]?.['enum'];
  return Array.isArray(listed) ? listed.filter((value) => typeof value === 'string') : [];
}

function argumentsOf(schema: Schema = {}): Readonly<Record<string, Schema>> {
  const properties = (clientInput(schema)['properties'] ?? {}) as Readonly<Record<string, Schema>>;
  const meant = ([name, property]: [string, Schema]) => [name, {...followReference(property, schema), ...property}];
  return Object.fromEntries(Object.entries(properties).map(meant));
}

/** Throws ProtocolError when the call is rejected or fails, because a prompt has no other way to report it. */
export async function getPrompt(
  conversation: Conversation,
  {params}: GetPromptRequest,
  from: Pick<GovernedRequest, 'context' | 'capabilities'>,
): Promise<GetPromptResult | InputRequiredResult> {
  const {name} = params;
  const answer = await callWithConsent(conversation, {...from, name, args: params.arguments ?? {}});
  if (answer.kind === 'question') return answer.question;
  if (answer.kind === 'failure') throw protocolFailure(answer.failure);
  const {data, declaration, output} = answer;
  if (declaration?.mcp?.kind === 'prompt' && isPromptResult(data)) {
    const failure = tooLarge(data, output.metadata?.receipt_id, conversation.messageMax);
    if (failure === undefined) return data;
    throw protocolFailure(failure);
  }
  throw protocolFailure(misshapen(name, 'prompt'));
}
