// A governed tool as MCP clients see it. Hints reflect the permission and the grant, which the kernel enforces, and never the
// author's prose.
import type {GovernedTool} from '@lumenflow/kernel';
import type {Tool, ToolAnnotations} from '@modelcontextprotocol/server';
import type {Schema} from '../packs/schemas/schema-keywords.ts';
import {makeSelfContained} from '../packs/schemas/make-self-contained.ts';
import {clientSchema, resultSchema} from './client-schema.ts';
import {clientInput} from './offers.ts';
import {clientText, type ToolNames} from './client-text.ts';
import {toMcpName} from './tool-name.ts';

export function describeTool({tool, decision, granted_scopes}: GovernedTool, names: ToolNames): Tool {
  const {input_schema, mcp} = tool.declaration;
  const description = clientText(tool.declaration.description, names);
  const output_schema = mcp ? structureOf(tool.declaration.output_schema) : tool.declaration.output_schema;
  return {
    name: toMcpName(tool.name),
    title: tool.name,
    description: decision === 'allow' ? description : `${description} (needs approval)`,
    inputSchema: {...clientSchema(mcp ? clientInput(input_schema) : (input_schema ?? {}), names), type: 'object'},
    ...(output_schema?.['type'] === 'object' && {outputSchema: resultSchema(output_schema)}),
    annotations: annotationsOf(tool.declaration, granted_scopes),
  };
}

/** The structured content, for a result in the protocol's own shape. */
function structureOf(schema: Schema = {}): Schema | undefined {
  const {structuredContent} = (schema['properties'] ?? {}) as {readonly structuredContent?: unknown};
  if (structuredContent === undefined) return undefined;
  const $id = 'urn:lumenflow:result';
  return makeSelfContained({$ref: `${$id}#/properties/structuredContent`, $defs: {result: {...schema, $id}}});
}

function annotationsOf(
  {permission, idempotent}: GovernedTool['tool']['declaration'],
  {write, network}: GovernedTool['granted_scopes'],
): ToolAnnotations {
  const readOnlyHint = permission === 'read' && write.length === 0;
  return {
    readOnlyHint,
    destructiveHint: !readOnlyHint,
    idempotentHint: readOnlyHint || idempotent === true,
    openWorldHint: network.posture !== 'off',
  };
}
