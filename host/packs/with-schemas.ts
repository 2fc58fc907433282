// A tool's declaration for whoever looks at the tool from outside: agents, clients and people have no files of its pack.
import type {ToolDeclaration} from '@lumenflow/schemas';
import type {WholeSchemas} from './lock/tool-terms.ts';
import {standAlone} from './stand-alone.ts';

/** A schema that could not be made whole stays as it was written. */
export function withSchemas(declaration: ToolDeclaration, {input, output}: WholeSchemas): ToolDeclaration {
  return {
    ...declaration,
    ...(input && {input_schema: {...standAlone(input)}}),
    ...(output && {output_schema: {...standAlone(output)}}),
  };
}
