// Generates a server's pack: its tools as the server describes them, with the pin's permissions.
import {cutText, failed, ok, type Outcome} from '@lumenflow/kernel';
import type {PackManifest, PackPin, ToolDeclaration} from '@lumenflow/schemas';
import coerce from 'semver/functions/coerce.js';
import valid from 'semver/functions/valid.js';
import {pinnedTool} from '../pinned-tool.ts';
import {networkEntry} from './network-entry.ts';
import {pinFault} from './pin-fault.ts';
import {plainText} from './plain-text.ts';
import type {PromptDefinition} from './prompt-definition.ts';
import type {ResourceDefinition} from './resource-definition.ts';
import {requiredEnv} from './required-env.ts';
import {resourcePrefix} from './resource-prefix.ts';
import type {ToolDefinition} from './tool-definition.ts';
import type {UpstreamListing} from './upstream-listing.ts';
import {resourceToolName, toPromptName, toToolName} from './upstream-name.ts';
import type {UpstreamProblem} from './upstream-problem.ts';

export interface DescribedUpstream {
  readonly manifest: PackManifest;
  /** In the order of the manifest's tools. After them, these follow as tools, too. */
  readonly definitions: readonly ToolDefinition[];
  readonly prompts: readonly PromptDefinition[];
  /** One tool reads them all. */
  readonly resources: readonly ResourceDefinition[];
}

export const handlerFile = 'tools.js';

export function handlerName(index: number): string {
  return `tool${index}`;
}

export function describeUpstream(pin: PackPin, listing: UpstreamListing): Outcome<DescribedUpstream, UpstreamProblem> {
  const fault = pinFault(pin);
  if (fault !== undefined) return failed(fault);
  const offered = new Map(listing.tools.map((tool) => [tool.name, tool]));
  const pinned = Object.keys(pin.tools ?? {});
  const unknown = pinned.find((name) => !offered.has(name));
  if (unknown !== undefined) {
    return failed({
      message: `the server of the pack \`${pin.id}\` has no tool \`${unknown}\``,
      help: `it has ${[...offered.keys()].join(', ') || 'none'}; \`lumenflow pack install ${pin.id} --update\` lists its tools again`,
    });
  }
  const unspeakable = pinned.find((name) => toToolName(pin.id, name) === undefined);
  if (unspeakable !== undefined) {
    return failed({
      message: `the tool \`${unspeakable}\` of the pack \`${pin.id}\` cannot be named: a name starts with a lower-case letter and has at most 64 characters`,
      help: 'omit it, or shorten the id of the pin',
    });
  }
  const lacking = (['prompts', 'resources'] as const).find((kind) => pin[kind] && listing[kind] === undefined);
  if (lacking !== undefined) {
    return failed({
      message: `the server of the pack \`${pin.id}\` has no ${lacking}`,
      help: `remove \`${lacking}\` from the pin; \`lumenflow pack install ${pin.id} --update\` lists them again`,
    });
  }
  const definitions = listing.tools.filter(({name}) => pinnedTool(pin, name) !== undefined);
  const prompts = (pin.prompts ? (listing.prompts ?? []) : []).filter(({name}) => toPromptName(pin.id, name));
  const resources = pin.resources ? (listing.resources ?? []) : [];
  const described = [
    ...definitions.map((definition) => declare(pin, definition)),
    ...prompts.map((prompt) => declarePrompt(pin, prompt)),
    ...(resources.length === 0 ? [] : [declareResources(pin, resources)]),
  ];
  return ok({
    definitions,
    prompts,
    resources,
    manifest: {
      id: pin.id,
      version: versionOf(listing),
      manifest_version: 1,
      description: aboutServer(pin, listing, definitions.length),
      task_types: [`${pin.id}-task`],
      tools: described.map((tool, index) => ({...tool, handler_entry: `${handlerFile}#${handlerName(index)}`})),
    },
  });
}

/** Packs have semantic versions; servers use any format. */
export function versionOf({server: {version}}: UpstreamListing): string {
  return valid(version) ?? coerce(version)?.version ?? '0.0.0';
}

function aboutServer(pin: PackPin, {server, tools, omitted = 0}: UpstreamListing, pinned: number): string {
  const others = tools.length === pinned ? '' : `; ${tools.length - pinned} more are not named in the pin`;
  const offersMore = pin.prompts !== undefined || pin.resources !== undefined;
  const left = omitted > 0 && offersMore ? `; ${omitted} prompts and resources are omitted` : '';
  return cutText(`The MCP server ${server.name} ${server.version}: ${pinned} of its tools${others}${left}`, 1_000);
}

const descriptionMax = 2_000;

type Declared = Omit<ToolDeclaration, 'handler_entry'>;

function declare(pin: PackPin, definition: ToolDefinition): Declared {
  const {name, description, inputSchema, outputSchema} = definition;
  const tool = toToolName(pin.id, name) ?? '';
  return {
    name: tool,
    description: description === '' ? name : cut(description),
    permission: 'read',
    ...pinnedTool(pin, name),
    ...overHttp(pin),
    mcp: {kind: 'tool'},
    input_schema: withAnswers(pin, own(inputSchema, `${tool}:input`)),
    ...(outputSchema && {output_schema: withStructure(pin, own(outputSchema, `${tool}:output`))}),
  };
}

function declarePrompt(pin: PackPin, {name, description, arguments: args}: PromptDefinition): Declared {
  const properties = args.map((argument) => [
    argument.name,
    {type: 'string', ...(argument.description !== '' && {description: argument.description})},
  ]);
  return {
    name: toPromptName(pin.id, name) ?? '',
    description: description === '' ? `The prompt ${plainText(name)}` : description,
    permission: 'read',
    ...pin.prompts,
    ...overHttp(pin),
    mcp: {kind: 'prompt'},
    input_schema: {
      type: 'object',
      properties: Object.fromEntries(properties) as Record<string, unknown>,
      required: args.filter(({required}) => required).map((argument) => argument.name),
      additionalProperties: false,
    },
  };
}

function declareResources(pin: PackPin, resources: readonly ResourceDefinition[]): Declared {
  return {
    name: resourceToolName(pin.id),
    description: `Reads a resource of the MCP server ${pin.id}`,
    permission: 'read',
    ...pin.resources,
    ...overHttp(pin),
    mcp: {
      kind: 'resource',
      uri: `${resourcePrefix(pin.id)}{+uri}`,
      lists: resources.map(({description, ...resource}) => ({...resource, ...(description !== '' && {description})})),
    },
    input_schema: {
      type: 'object',
      properties: {uri: {type: 'string', description: "The server's own address of it", maxLength: 4_000}},
      required: ['uri'],
      additionalProperties: false,
    },
  };
}

/** Never cuts within a character. */
function cut(text: string): string {
  return cutText(text, descriptionMax);
}

/** The declared dialect is often an older one; such schemas have the same meaning in 2020-12. */
function own(whole: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> {
  const schema = Object.fromEntries(Object.entries(whole).filter(([key]) => key !== '$schema'));
  // References within a schema require it to be a root schema.
  const hasReferences = JSON.stringify(schema).includes('"$ref":"#');
  return hasReferences && schema['$id'] === undefined ? {$id: `urn:lumenflow:${name}`, ...schema} : schema;
}

/** What a tool of a server at a URL touches here, and the variables in the headers of its requests. */
function overHttp(pin: PackPin): Partial<ToolDeclaration> {
  const {url} = pin;
  if (url === undefined) return {};
  const required_env = [...requiredEnv(pin)];
  return {
    required_scopes: [{type: 'network', posture: 'allowlist', allowlist_entries: [networkEntry(url)]}],
    ...(required_env.length > 0 && {required_env}),
  };
}

/** A server that lasts can ask questions during a call, which the next call of the tool answers. */
function withAnswers({lifetime = 'call'}: PackPin, schema: Record<string, unknown>): Record<string, unknown> {
  if (lifetime === 'call' || schema['$ref'] !== undefined) return schema;
  const answers = {input_responses: {type: 'object'}, request_state: {type: 'string'}};
  return {...schema, properties: {...(schema['properties'] as object | undefined), ...answers}};
}

/** The result of a call, or the questions before it. */
function withStructure({lifetime = 'call'}: PackPin, schema: object): Record<string, unknown> {
  const hasStructure = {required: ['structuredContent']};
  const asks = {required: ['resultType'], properties: {resultType: {const: 'input_required'}}};
  const either = lifetime === 'call' ? hasStructure : {anyOf: [hasStructure, asks]};
  return {type: 'object', ...either, properties: {structuredContent: schema}};
}
