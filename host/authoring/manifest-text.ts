// Fills the schemas of tools into the text of a manifest, whose comments and order stay.
import type {ToolDeclaration} from '@lumenflow/schemas';
import {isDeepStrictEqual} from 'node:util';
import {parseDocument} from 'yaml';
import type {ToolSchemas} from './tool-schemas.ts';

type DeclaredTool = Pick<ToolDeclaration, 'input_schema' | 'output_schema'>;

export interface FilledManifest {
  readonly text: string;
  /** What is another than before, for example `hello:greet input_schema`. */
  readonly changed: readonly string[];
  /** Of the tools that are declared in other files. */
  readonly rest: readonly ToolSchemas[];
}

/** `schemas` begin with those of the text's tools, in their order. A text in which nothing changes is given back as it is. */
export function fillManifest(text: string, schemas: readonly ToolSchemas[]): FilledManifest {
  const document = parseDocument(text);
  const {tools} = document.toJS() as {tools: readonly DeclaredTool[]};
  const rest = schemas.slice(tools.length);
  const changed = tools.flatMap((declared, index) => {
    const of = schemas[index];
    return (['input', 'output'] as const).flatMap((side) => {
      const schema = of?.[side];
      if (of === undefined || schema === undefined) return [];
      const key = `${side}_schema` as const;
      const wanted = withExamples(schema, declared[key]);
      if (isDeepStrictEqual(declared[key], wanted)) return [];
      document.setIn(['tools', index, key], document.createNode(wanted));
      return [`${of.tool} ${key}`];
    });
  });
  if (changed.length === 0) return {text, changed, rest};
  const flowCollectionPadding = /[{[] +[^\s}\]]/u.test(text);
  return {text: document.toString({lineWidth: 0, flowCollectionPadding}), changed, rest};
}

/** Examples are the author's own, where the schema brings none: they are what conformance calls the tool with. */
function withExamples(schema: object, before: object | undefined): object {
  if ('examples' in schema || before === undefined || !('examples' in before)) return schema;
  return {...schema, examples: before.examples};
}
