// What the facade returns about tools, in the client's words.
import type {ToolDoc, ToolSummary} from '@lumenflow/schemas';
import {clientSchema} from '../client-schema.ts';
import {clientText, type ToolNames} from '../client-text.ts';
import {toMcpName} from '../tool-name.ts';

/** With what a model needs to choose: the rest is in the doc. */
export function clientSummary({id, summary, policy}: ToolSummary, names: ToolNames): object {
  return {tool: toMcpName(id), summary: clientText(summary, names), ...needsApproval(policy)};
}

export function clientDoc(doc: ToolDoc, names: ToolNames): object {
  const {id, summary, policy, description, input_schema, output_schema, namespace: _namespace, ...rest} = doc;
  return {
    tool: toMcpName(id),
    ...(description === undefined
      ? {summary: clientText(summary, names)}
      : {description: clientText(description, names)}),
    ...needsApproval(policy),
    ...(input_schema && {input_schema: clientSchema(input_schema, names)}),
    ...(output_schema && {output_schema: clientSchema(output_schema, names)}),
    ...rest,
  };
}

function needsApproval(policy: ToolSummary['policy']): object {
  return policy === 'allowed' ? {} : {policy};
}
