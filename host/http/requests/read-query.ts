// Converts a query to the object that a route's schema describes: integers to numbers, booleans to true or false, arrays to
// lists.

export interface ObjectSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, {readonly type?: string; readonly [keyword: string]: unknown}>>;
  readonly required?: readonly string[];
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>;
  readonly not?: Requirement & {readonly anyOf?: readonly Requirement[]};
  readonly additionalProperties: boolean;
}

interface Requirement {
  readonly required: readonly string[];
}

/** An invalid value stays text or a list, which the schema rejects. */
export function readQuery(query: URLSearchParams, schema: ObjectSchema): Readonly<Record<string, unknown>> {
  const entries = [...new Set(query.keys())].map((key): [string, unknown] => {
    const values = query.getAll(key);
    const type = Object.hasOwn(schema.properties, key) ? schema.properties[key]?.type : undefined;
    if (type === 'array') return [key, values.flatMap((value) => value.split(','))];
    const [value = ''] = values;
    if (values.length > 1) return [key, values];
    return [key, valueOf(value, type)];
  });
  return Object.fromEntries(entries);
}

function valueOf(text: string, type: string | undefined): unknown {
  if (type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text);
  return type === 'boolean' && /^(?:true|false)$/.test(text) ? text === 'true' : text;
}
