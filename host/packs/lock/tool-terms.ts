// The terms of a tool: the description that agents read, and its requirements. A person approves these terms.
import {canonicalJson, tryCanonicalJson} from '@lumenflow/kernel/adapters';
import {sha256Hex} from '@lumenflow/kernel/node';
import type {ToolDeclaration, ToolTerms} from '@lumenflow/schemas';
import type {Schema} from '../schemas/schema-keywords.ts';

export interface WholeSchemas {
  /** With referenced files embedded. */
  readonly input?: Schema | undefined;
  readonly output?: Schema | undefined;
}

export function termsOf(declaration: ToolDeclaration, {input, output}: WholeSchemas): ToolTerms {
  const {description, permission, required_scopes, calls, required_env, preview, mcp} = declaration;
  return {
    description,
    permission,
    ...(required_scopes && {required_scopes}),
    ...(calls && {calls}),
    ...(required_env && {required_env}),
    ...(preview !== undefined && {preview}),
    ...(input && {input_schema: {...input}}),
    ...(output && {output_schema: {...output}}),
    ...(mcp?.lists && {lists: mcp.lists}),
  };
}

/** Why terms have no digest: they contain invalid Unicode. */
export function textFault(terms: ToolTerms): string | undefined {
  const text = tryCanonicalJson(terms);
  return text.ok ? undefined : text.problem.message;
}

/** `sha256:<hex>` of the terms as canonical JSON, independent of key order. */
export function digestOf(terms: ToolTerms): string {
  return `sha256:${sha256Hex(Buffer.from(canonicalJson(terms)))}`;
}
