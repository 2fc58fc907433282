// Schemas of an OpenAPI document as self-contained JSON Schemas 2020-12. Referenced schemas move to `$defs`, so cycles stay
// references. Both OpenAPI 3.0, whose dialect differs, and later versions are converted.
import {listOf, nodeOf, textOf, type DocumentNode, type OpenapiDocument} from './openapi-document.ts';

export type Schema = Readonly<Record<string, unknown>>;

export interface SchemaConverter {
  convert(schema: unknown): Schema | boolean;
  /** Everything that the converted schemas refer to. */
  definitions(): Readonly<Record<string, Schema | boolean>>;
}

const kept: ReadonlySet<string> = new Set([
  'type',
  'const',
  'title',
  'description',
  'default',
  'deprecated',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minContains',
  'maxContains',
  'minProperties',
  'maxProperties',
  'contentEncoding',
  'contentMediaType',
  'examples',
]);
const schemaKeywords: ReadonlySet<string> = new Set([
  'items',
  'contains',
  'additionalProperties',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
const listKeywords: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const mapKeywords: ReadonlySet<string> = new Set(['patternProperties', 'dependentSchemas']);
/** Those that a validator knows; others only describe. */
const formats: ReadonlySet<string> = new Set([
  'date',
  'date-time',
  'time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
  'uri',
  'uri-reference',
]);

/** `direction`: requests lack what only responses have (`readOnly`), and the other way round (`writeOnly`). */
export function createSchemaConverter(document: OpenapiDocument, direction: 'request' | 'response'): SchemaConverter {
  const names = new Map<string, string>();
  const definitions: Record<string, Schema | boolean> = {};
  const foreign = direction === 'request' ? 'readOnly' : 'writeOnly';

  /** Names the target, and converts it when it is named first. */
  function define(reference: string): string {
    const known = names.get(reference);
    if (known !== undefined) return known;
    const plain = (reference.split('/').at(-1) ?? '').replaceAll(/[^A-Za-z0-9_.-]+/gu, '_') || 'schema';
    const isTaken = (name: string): boolean => [...names.values()].includes(name);
    let name = plain;
    for (let count = 2; isTaken(name); count++) name = `${plain}_${count}`;
    names.set(reference, name);
    definitions[name] = convert(document.at(reference));
    return name;
  }

  function convert(schema: unknown): Schema | boolean {
    if (typeof schema === 'boolean') return schema;
    const node = nodeOf(schema);
    const reference = node['$ref'];
    const own = convertNode(node);
    return typeof reference === 'string' ? {$ref: `#/$defs/${define(reference)}`, ...own} : own;
  }

  /** Without those that only the other direction has. */
  function ownProperties(node: DocumentNode): Schema {
    const all = nodeOf(node['properties']);
    const isOwn = (name: string): boolean => document.follow(all[name])[foreign] !== true;
    const names = Object.keys(all).filter(isOwn);
    const required = listOf(node['required']).map(String).filter(isOwn);
    return {
      ...('properties' in node && {properties: Object.fromEntries(names.map((name) => [name, convert(all[name])]))}),
      ...(required.length > 0 && {required}),
    };
  }

  function convertNode(node: DocumentNode): Schema {
    const converted: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(node)) {
      if (kept.has(key)) converted[key] = value;
      else if (schemaKeywords.has(key)) converted[key] = convert(value);
      else if (listKeywords.has(key)) converted[key] = listOf(value).map(convert);
      else if (mapKeywords.has(key)) converted[key] = mapOf(value, convert);
    }
    Object.assign(converted, ownProperties(node));
    if ('enum' in node) converted['enum'] = listOf(node['enum']);
    if (formats.has(textOf(node['format']))) converted['format'] = node['format'];
    if (node['format'] === 'byte' || node['format'] === 'binary') converted['contentEncoding'] = 'base64';
    if (isPattern(node['pattern'])) converted['pattern'] = node['pattern'];
    if ('example' in node && direction === 'request') converted['examples'] ??= [node['example']];
    return fromOlder(converted, node);
  }

  return {convert, definitions: () => definitions};
}

/** What OpenAPI 3.0 writes differently. */
function fromOlder(converted: Record<string, unknown>, node: DocumentNode): Schema {
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof node[exclusive] !== 'boolean') continue;
    delete converted[exclusive];
    if (!node[exclusive]) continue;
    converted[exclusive] = node[bound];
    delete converted[bound];
  }
  // Lists of examples only: 3.0 has none in schemas, and some documents write a map of them.
  if (!Array.isArray(converted['examples'])) delete converted['examples'];
  if (node['nullable'] !== true) return converted;
  const {type, enum: values, ...others} = converted;
  if (typeof type !== 'string') return {anyOf: [converted, {type: 'null'}]};
  return {type: [type, 'null'], ...(Array.isArray(values) && {enum: [...values, null]}), ...others};
}

function mapOf(value: unknown, convert: SchemaConverter['convert']): Record<string, unknown> {
  return Object.fromEntries(Object.entries(nodeOf(value)).map(([key, inner]) => [key, convert(inner)]));
}

/** Documents are written for many languages: a pattern that is not one of JSON Schema only describes. */
function isPattern(pattern: unknown): boolean {
  if (typeof pattern !== 'string') return false;
  try {
    return new RegExp(pattern, 'u').source !== '';
  } catch {
    return false;
  }
}
