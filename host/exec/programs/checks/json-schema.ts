// What a JSON Schema says about a part of its values, as far as it says so plainly: without references and combinations.

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Undefined: the schema does not say. `closed` lists the only properties that there can be. */
export interface PropertySchema {
  readonly schema?: JsonSchema | undefined;
  readonly missingFrom?: readonly string[];
}

const combining = ['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'if', 'not', 'patternProperties'];

export function asSchema(value: unknown): JsonSchema | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return combining.some((key) => Object.hasOwn(value, key)) ? undefined : (value as JsonSchema);
}

export function propertySchema(schema: JsonSchema | undefined, name: string): PropertySchema {
  const properties = schema?.['properties'];
  if (typeof properties !== 'object' || properties === null) return {};
  const known = properties as Readonly<Record<string, unknown>>;
  if (Object.hasOwn(known, name)) return {schema: asSchema(known[name])};
  return schema?.['additionalProperties'] === false ? {missingFrom: Object.keys(known)} : {};
}

export function itemSchema(schema: JsonSchema | undefined): JsonSchema | undefined {
  return asSchema(schema?.['items']);
}

/** At a JSON pointer into a value. */
export function schemaAt(schema: JsonSchema | undefined, pointer: string): JsonSchema | undefined {
  let found = schema && asSchema(schema);
  for (const segment of pointer.split('/').slice(1)) {
    const key = segment.replaceAll('~1', '/').replaceAll('~0', '~');
    found = found?.['type'] === 'array' ? itemSchema(found) : propertySchema(found, key).schema;
  }
  return found;
}

/** The types that it names; none if it does not say. */
export function typesOf(schema: JsonSchema | undefined): readonly string[] {
  const types = schema?.['type'];
  return [types ?? []].flat().filter((type): type is string => typeof type === 'string');
}
