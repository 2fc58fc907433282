// Inserts the schemas of tools into the text of a manifest, and keeps its order.
import type {ToolDeclaration} from '@lumenflow/schemas';
import {isDeepStrictEqual} from 'node:util';
import type {Document} from 'yaml';
import {editYaml} from '../text/edit-yaml.ts';

export type SchemasOf = (handlerEntry: string) => {readonly input?: object; readonly output?: object} | undefined;

export interface ManifestText {
  readonly text: string;
  /** The changes, for example `hello:greet input_schema`. */
  readonly changed: readonly string[];
}

/** Text without changes is returned as it is. */
export function fillManifest(text: string, schemasOf: SchemasOf): ManifestText {
  let changed: readonly string[] = [];
  const edited = editYaml(text, (document) => {
    changed = fillTools(document, schemasOf);
  });
  return {text: changed.length === 0 ? text : edited, changed};
}

function fillTools(document: Document, schemasOf: SchemasOf): readonly string[] {
  const {tools} = document.toJS() as {tools: readonly ToolDeclaration[]};
  return tools.flatMap((declared, index) => {
    const schemas = schemasOf(declared.handler_entry);
    return (['input', 'output'] as const).flatMap((side) => {
      const schema = schemas?.[side];
      if (schema === undefined) return [];
      const key = `${side}_schema` as const;
      const wanted = withExamples(schema, declared[key]);
      if (isDeepStrictEqual(declared[key], wanted)) return [];
      document.setIn(['tools', index, key], document.createNode(wanted));
      return [`${declared.name} ${key}`];
    });
  });
}

/** Keeps the author's examples if the schema has none: conformance calls the tool with them. */
function withExamples(schema: object, before: object | undefined): object {
  if ('examples' in schema || before === undefined || !('examples' in before)) return schema;
  return {...schema, examples: before.examples};
}
