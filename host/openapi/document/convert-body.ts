// The body of a request: the first media type of the document that can be sent, and what the input's `body` must be for it.
import type {Schema, SchemaConverter} from './create-schema-converter.ts';
import {isJson, plainType} from './media-type.ts';
import {nodeOf, textOf, type DocumentNode, type OpenapiDocument} from './openapi-document.ts';
import type {PlannedBody} from './operation-plan.ts';

export interface ConvertedBody {
  readonly plan: PlannedBody;
  readonly schema: Schema | boolean;
}

const preferred: readonly ((mediaType: string) => boolean)[] = [
  isJson,
  (type) => type === 'application/x-www-form-urlencoded',
  (type) => type === 'multipart/form-data',
  (type) => type.startsWith('text/'),
  () => true,
];

/** Undefined if the document names no media type. */
export function convertBody(
  document: OpenapiDocument,
  body: DocumentNode,
  converter: SchemaConverter,
): ConvertedBody | undefined {
  const content = nodeOf(body['content']);
  const types = Object.keys(content);
  const written = preferred.flatMap((test) => types.find((type) => test(plainType(type))) ?? [])[0];
  if (written === undefined) return undefined;
  const schema = nodeOf(content[written])['schema'];
  const type = plainType(written) === '*/*' ? 'application/octet-stream' : plainType(written);
  const isStructured = isJson(type) || type.startsWith('text/') || type.includes('form');
  if (!isStructured) {
    return {plan: {media_type: type, files: []}, schema: {type: 'string', contentEncoding: 'base64'}};
  }
  const files = Object.entries(nodeOf(document.follow(schema)['properties']))
    .filter(([, property]) => isFile(document, property))
    .map(([name]) => name);
  return {
    plan: {media_type: type, files: type === 'multipart/form-data' ? files : []},
    schema: converter.convert(schema ?? true),
  };
}

function isFile(document: OpenapiDocument, property: unknown): boolean {
  const node = document.follow(property);
  const item = node['items'] === undefined ? node : document.follow(node['items']);
  return textOf(item['format']) === 'binary' || 'contentMediaType' in item;
}
