// A governed tool as MCP clients see it. Hints come from the permission and from what is granted, never from an author's
// prose: they are what the kernel holds the tool to.
import type {GovernedTool} from '@lumenflow/kernel';
import type {Tool, ToolAnnotations} from '@modelcontextprotocol/server';
import {failureSchema} from './failure-content.ts';
import {clientInput} from './offers.ts';
import {toMcpName} from './tool-name.ts';

type Schema = Readonly<Record<string, unknown>>;

export function describeTool({tool, decision, granted_scopes}: GovernedTool): Tool {
  const {description, input_schema, mcp} = tool.declaration;
  const output_schema = mcp ? structureOf(tool.declaration.output_schema) : tool.declaration.output_schema;
  return {
    name: toMcpName(tool.name),
    title: tool.name,
    description: decision === 'allow' ? description : `${description} (a person is asked first)`,
    inputSchema: {...(mcp ? clientInput(input_schema) : input_schema), type: 'object'},
    ...(output_schema?.['type'] === 'object' && {outputSchema: outputOrFailure(tool.name, output_schema)}),
    annotations: annotationsOf(tool.declaration, granted_scopes),
  };
}

/** Of a whole result of the protocol, its structured content. */
function structureOf(schema: Schema | undefined): Schema | undefined {
  return (schema?.['properties'] as {readonly structuredContent?: Schema} | undefined)?.structuredContent;
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

/** Some clients hold the content of a failed call against the schema, too, so it says both. */
function outputOrFailure(name: string, schema: Schema): Tool['inputSchema'] {
  // References within a schema need it to be the root of something.
  const hasReferences = JSON.stringify(schema).includes('"$ref":"#');
  const output = hasReferences ? {$id: `urn:lumenflow:output:${toMcpName(name)}`, ...schema} : schema;
  return {type: 'object', anyOf: [output, failureSchema]};
}
