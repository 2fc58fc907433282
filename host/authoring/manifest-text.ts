// Fills the schemas of tools into the text of a manifest, whose comments and order stay.
import {isDeepStrictEqual} from 'node:util';
import {parseDocument, type Document} from 'yaml';
import type {ToolSchemas} from './tool-schemas.ts';

export interface FilledManifest {
  readonly text: string;
  /** What is another than before, for example `hello:greet input_schema`. */
  readonly changed: readonly string[];
}

/** `schemas` are of the manifest's tools, in their order. A text in which nothing changes is given back as it is. */
export function fillManifest(text: string, schemas: readonly ToolSchemas[]): FilledManifest {
  const document = parseDocument(text);
  const changed = schemas.flatMap((of, index) =>
    (['input', 'output'] as const).flatMap((side) => {
      const schema = of[side];
      if (schema === undefined || !fill(document, ['tools', index, `${side}_schema`], schema)) return [];
      return [`${of.tool} ${side}_schema`];
    }),
  );
  if (changed.length === 0) return {text, changed};
  const flowCollectionPadding = /[{[] +[^\s}\]]/u.test(text);
  return {text: document.toString({lineWidth: 0, flowCollectionPadding}), changed};
}

/** Examples are the author's own, where the schema brings none: they are what conformance calls the tool with. */
function fill(document: Document, path: readonly (string | number)[], schema: object): boolean {
  const before = (document.toJS() as {tools: Record<string, object>[]}).tools[Number(path[1])]?.[String(path[2])];
  const examples = before && 'examples' in before ? {examples: before.examples} : {};
  const wanted = 'examples' in schema ? schema : {...schema, ...examples};
  if (isDeepStrictEqual(before, wanted)) return false;
  document.setIn(path, document.createNode(wanted));
  return true;
}
