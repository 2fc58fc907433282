// The terms of a tool: what an agent is told of it, and what it asks for. They are what a person approves.
import {canonicalJson, isNotCanonicalError} from '@lumenflow/kernel';
import {sha256Hex} from '@lumenflow/kernel/node';
import type {ToolDeclaration, ToolTerms} from '@lumenflow/schemas';
import type {Schema} from '../schema-keywords.ts';

export interface WholeSchemas {
  /** With the files that they refer to embedded. */
  readonly input?: Schema;
  readonly output?: Schema;
}

export function termsOf(declaration: ToolDeclaration, {input, output}: WholeSchemas): ToolTerms {
  const {description, permission, required_scopes, calls, required_env, preview} = declaration;
  return {
    description,
    permission,
    ...(required_scopes && {required_scopes}),
    ...(calls && {calls}),
    ...(required_env && {required_env}),
    ...(preview !== undefined && {preview}),
    ...(input && {input_schema: {...input}}),
    ...(output && {output_schema: {...output}}),
  };
}

/** Why terms have no digest: a text in them is no Unicode. */
export function textFault(terms: ToolTerms): string | undefined {
  try {
    canonicalJson(terms);
    return undefined;
  } catch (error) {
    if (!isNotCanonicalError(error)) throw error;
    return error.message;
  }
}

/** `sha256:<hex>` of the terms as canonical JSON; keys may stand in any order. */
export function digestOf(terms: ToolTerms): string {
  return `sha256:${sha256Hex(Buffer.from(canonicalJson(terms)))}`;
}
