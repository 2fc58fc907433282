// A tool's schemas as clients receive them. They are sent again for every conversation, so they contain only what a client uses.
import type {Tool} from '@modelcontextprotocol/server';
import {dataKeywords, isSchemaObject, mapKeywords, type Schema} from '../packs/schemas/schema-keywords.ts';
import {makeSelfContained} from '../packs/schemas/make-self-contained.ts';

/** Without the keywords that only the kernel uses. A model reads the rest. */
export function clientSchema(schema: Schema): Schema {
  return without(schema, isOwnKeyword);
}

/**
 * The output's shape without prose and bounds: programs read it, and the kernel has already checked each value. Some clients
 * also compare failed calls with it, so it allows the structured content of a failure, described by what identifies it.
 */
export function resultSchema(output: Schema): Tool['inputSchema'] {
  const bare = without(output, (key, value) => isOwnKeyword(key) || nonShapeKeywords.has(key) || isClosed(key, value));
  const hasReferences = JSON.stringify(bare).includes('"$ref":"#');
  if (!hasReferences) return {type: 'object', anyOf: [bare, failure]};
  const $id = 'urn:lumenflow:output';
  const either = makeSelfContained({anyOf: [{$ref: $id}, failure], $defs: {output: {...bare, $id}}});
  return {...either, type: 'object'};
}

const failure: Schema = {required: ['code', 'message']};
const nonShapeKeywords: ReadonlySet<string> = new Set(
  (
    'title description $comment default examples pattern format minLength maxLength minimum maximum exclusiveMinimum ' +
    'exclusiveMaximum multipleOf minItems maxItems uniqueItems minProperties maxProperties'
  ).split(' '),
);

function isClosed(key: string, value: unknown): boolean {
  return key === 'additionalProperties' && value === false;
}

function isOwnKeyword(key: string): boolean {
  return key.startsWith('x-');
}

function without(schema: Schema, isLeftOut: (keyword: string, value: unknown) => boolean): Schema {
  const inside = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inside);
    return isSchemaObject(value) ? without(value, isLeftOut) : value;
  };
  const kept = Object.entries(schema).filter(([keyword, value]) => !isLeftOut(keyword, value));
  return Object.fromEntries(
    kept.map(([keyword, value]) => {
      if (dataKeywords.has(keyword) || keyword === 'dependentRequired') return [keyword, value];
      if (!mapKeywords.has(keyword) || !isSchemaObject(value)) return [keyword, inside(value)];
      return [keyword, Object.fromEntries(Object.entries(value).map(([name, part]) => [name, inside(part)]))];
    }),
  );
}
