// What a session reads about a tool before it calls it: one line, the schemas, or everything.
import type {GovernedTool} from '@lumenflow/kernel';
import type {ToolDoc, ToolDocLevel, ToolSummary} from '@lumenflow/schemas';
import {firstSentence} from '../text/first-sentence.ts';
import {namespaceOf} from './namespace-of.ts';

export function summarizeTool({tool: {name, declaration}, decision}: GovernedTool): ToolSummary {
  return {
    id: name,
    summary: firstSentence(declaration.description),
    namespace: namespaceOf(name),
    permission: declaration.permission,
    policy: decision === 'allow' ? 'allowed' : 'approval_required',
  };
}

/** `examplesMax`: of those in the input schema. One that the schema rejects is not shown. */
export function describeTool(governed: GovernedTool, level: ToolDocLevel, examplesMax: number): ToolDoc {
  const summary = summarizeTool(governed);
  if (level === 'summary') return summary;
  const {description, input_schema, output_schema} = governed.tool.declaration;
  const doc = {...summary, description, ...(input_schema && {input_schema}), ...(output_schema && {output_schema})};
  return level === 'schema' ? doc : {...doc, ...detailsOf(governed, examplesMax)};
}

function detailsOf({tool, granted_scopes}: GovernedTool, examplesMax: number): Partial<ToolDoc> {
  const {declaration, pack, validateInput} = tool;
  const {idempotent, timeout_ms, input_schema} = declaration;
  const declared = input_schema?.['examples'];
  const examples = Array.isArray(declared) ? declared.filter((example) => validateInput(example).length === 0) : [];
  return {
    pack_id: pack.manifest.id,
    pack_version: pack.manifest.version,
    granted_scopes,
    ...(idempotent !== undefined && {idempotent}),
    ...(timeout_ms !== undefined && {timeout_ms}),
    examples: examples.slice(0, examplesMax),
  };
}
