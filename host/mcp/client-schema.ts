// A tool's schemas as clients receive them. They are sent again for every conversation, so they contain only what a client uses.
import type {Tool} from '@modelcontextprotocol/server';
import {dataKeywords, isSchemaObject, mapKeywords, type Schema} from '../packs/schemas/schema-keywords.ts';
import {resultShape} from './result-shape.ts';

/** Without the keywords that only the kernel uses. A model reads the rest. */
export function clientSchema(schema: Schema): Schema {
  return without(schema, isOwnKeyword);
}

/** Some clients also compare failed calls with it, so it allows the structured content of a failure. */
export function resultSchema(output: Schema): Tool['inputSchema'] {
  return {type: 'object', anyOf: [resultShape(output), failure]};
}

const failure: Schema = {required: ['code', 'message']};

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
