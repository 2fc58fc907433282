// What a JSON Schema says about a part of its values, as far as it says so plainly: not in combinations such as `anyOf`.

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Undefined: the schema does not say. `closed` lists the only properties that there can be. */
export interface PropertySchema {
  readonly schema?: JsonSchema | undefined;
  readonly missingFrom?: readonly string[];
}

export function asSchema(value: unknown): JsonSchema | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonSchema) : undefined;
}

const referenceDepthMax = 8;

/** Replaces references to its own definitions; one that contains itself stays at the depth where it is met again. */
export function withoutReferences(schema: JsonSchema): JsonSchema {
  const definitions = asSchema(schema['$defs']) ?? {};
  const replaced = (value: unknown, depth: number): unknown => {
    if (Array.isArray(value)) return value.map((item) => replaced(item, depth));
    const part = asSchema(value);
    if (part === undefined) return value;
    const [, name] = /^#\/\$defs\/([^/]+)$/u.exec(String(part['$ref'])) ?? [];
    const target = name === undefined || depth === referenceDepthMax ? undefined : asSchema(definitions[name]);
    if (target) return replaced({...target, ...part, $ref: undefined}, depth + 1);
    return Object.fromEntries(
      Object.entries(part).map(([key, item]) => [key, key === '$defs' ? item : replaced(item, depth)]),
    );
  };
  return replaced(schema, 0) as JsonSchema;
}

export function propertySchema(schema: JsonSchema | undefined, name: string): PropertySchema {
  const properties = schema?.['properties'];
  if (typeof properties !== 'object' || properties === null) return {};
  const known = properties as Readonly<Record<string, unknown>>;
  if (Object.hasOwn(known, name)) return {schema: asSchema(known[name])};
  const isClosed = schema?.['additionalProperties'] === false && schema['patternProperties'] === undefined;
  return isClosed ? {missingFrom: Object.keys(known)} : {};
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
