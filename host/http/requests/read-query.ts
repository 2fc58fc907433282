// A request's query as the object that a route's schema describes: numbers where it says integer, true and false where it
// says boolean, lists where it says array.

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

/** What does not fit stays text or list, for the schema to refuse. */
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
  if (type === 'integer' && /^\d{1,15}$/.test(text)) return Number(text);
  return type === 'boolean' && /^(?:true|false)$/.test(text) ? text === 'true' : text;
}
