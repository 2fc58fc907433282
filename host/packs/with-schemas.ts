// A tool's declaration for readers without access to the pack's files: agents, clients and people.
import type {ToolDeclaration} from '@lumenflow/schemas';
import type {WholeSchemas} from './lock/tool-terms.ts';
import {makeSelfContained} from './schemas/make-self-contained.ts';

/** A schema that cannot be made self-contained is returned as written. */
export function withSchemas(declaration: ToolDeclaration, {input, output}: WholeSchemas): ToolDeclaration {
  return {
    ...declaration,
    ...(input && {input_schema: {...makeSelfContained(input)}}),
    ...(output && {output_schema: {...makeSelfContained(output)}}),
  };
}
