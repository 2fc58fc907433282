// A tool's schemas as clients receive them. They are sent again for every conversation, so they contain only what a client uses.
import type {Tool} from '@modelcontextprotocol/server';
import {dataKeywords, isSchemaObject, mapKeywords, type Schema} from '../packs/schemas/schema-keywords.ts';
import {clientText, type ToolNames} from './client-text.ts';
import {resultShape} from './result-shape.ts';

/** Without the keywords that only the kernel uses. A model reads the rest, in the client's words. */
export function clientSchema(schema: Schema, names: ToolNames): Schema {
  const inside = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inside);
    return isSchemaObject(value) ? clientSchema(value, names) : value;
  };
  const kept = Object.entries(schema).filter(([keyword]) => !keyword.startsWith('x-'));
  return Object.fromEntries(
    kept.map(([keyword, value]) => {
      if (keyword === 'description' && typeof value === 'string') return [keyword, clientText(value, names)];
      if (dataKeywords.has(keyword) || keyword === 'dependentRequired') return [keyword, value];
      if (!mapKeywords.has(keyword) || !isSchemaObject(value)) return [keyword, inside(value)];
      return [keyword, Object.fromEntries(Object.entries(value).map(([name, part]) => [name, inside(part)]))];
    }),
  );
}

/** Some clients also compare failed calls with it, so it allows the structured content of a failure. */
export function resultSchema(output: Schema): Tool['inputSchema'] {
  return {type: 'object', anyOf: [resultShape(output), failure]};
}

const failure: Schema = {required: ['code', 'message']};
