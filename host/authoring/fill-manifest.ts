// Inserts the schemas of tools into the text of a manifest, and keeps its comments and order.
import type {ToolDeclaration} from '@lumenflow/schemas';
import {isDeepStrictEqual} from 'node:util';
import {parseDocument} from 'yaml';
import type {ToolSchemas} from './tool-schemas.ts';

type DeclaredTool = Pick<ToolDeclaration, 'input_schema' | 'output_schema'>;

export interface FilledManifest {
  readonly text: string;
  /** The changes, for example `hello:greet input_schema`. */
  readonly changed: readonly string[];
  /** The schemas of tools that are declared in other files. */
  readonly rest: readonly ToolSchemas[];
}

/** `schemas` begin with those of the text's tools, in their order. Text without changes is returned as it is. */
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

/** Keeps the author's examples if the schema has none: conformance calls the tool with them. */
function withExamples(schema: object, before: object | undefined): object {
  if ('examples' in schema || before === undefined || !('examples' in before)) return schema;
  return {...schema, examples: before.examples};
}
