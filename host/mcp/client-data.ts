// The data of a call for MCP clients. Where the tool's output schema says `x-names-tools`, the data mentions tools; elsewhere it
// may be a file's content, which must stay as it is.
import {followReference} from '../packs/schemas/follow-reference.ts';
import {isSchemaObject, type Schema} from '../packs/schemas/schema-keywords.ts';
import {clientTexts, type ToolNames} from './client-text.ts';

export function clientData(data: unknown, schema: Schema | undefined, names: ToolNames): unknown {
  // Most schemas do not have it.
  if (schema === undefined || !JSON.stringify(schema).includes('"x-names-tools"')) return data;
  return inside(data, schema);

  function inside(value: unknown, at: unknown): unknown {
    if (!isSchemaObject(at)) return value;
    const part = followReference(at, schema ?? {});
    if (at['x-names-tools'] === true || part['x-names-tools'] === true) return clientTexts(value, names);
    const alternatives = [part['anyOf'], part['oneOf'], part['allOf']].flatMap((list) => list ?? []);
    return members(alternatives.reduce(inside, value), part);
  }

  function members(value: unknown, {properties, items, additionalProperties}: Schema): unknown {
    if (Array.isArray(value)) return value.map((item) => inside(item, items));
    if (!isSchemaObject(value)) return value;
    const own = isSchemaObject(properties) ? properties : {};
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [
        key,
        inside(member, Object.hasOwn(own, key) ? own[key] : additionalProperties),
      ]),
    );
  }
}
