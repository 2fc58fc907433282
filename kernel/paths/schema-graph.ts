// The schemas within a JSON Schema that apply to an input's values. A string is a workspace path if any schema on its way says so.
// Alternatives (`anyOf`, `if`, …) count together, because the choice of a branch must not avoid a rule.

export type Schema = Readonly<Record<string, unknown>>;

export const pathFormat = 'workspace-path';

/** Keywords whose schemas apply to the same value; lists, maps and single schemas alike. */
const sameValue = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'dependentSchemas'] as const;
/** Keywords whose schemas apply to parts of the value. */
const parts = [
  'properties',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'prefixItems',
  'items',
  'unevaluatedItems',
] as const;

/** Values of these keywords are data. */
const dataKeywords: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export interface SchemaGraph {
  readonly root: Schema;
  /** The schema and all that apply to the same value, without those that lead to no path. */
  together(schemas: readonly unknown[]): readonly Schema[];
  /** Those that say `format: workspace-path`, as far as an input can meet them. */
  readonly paths: readonly Schema[];
  /** Schemas that say `format: workspace-path` and that no supported keyword leads to. */
  readonly unreached: readonly Schema[];
}

/** Undefined when nothing in the schema is a path, which a search of its text finds. */
export function schemaGraph(root: Schema): SchemaGraph | undefined {
  const marked = pathSchemas(root);
  if (marked.size === 0) return undefined;
  const reached = new Set<Schema>();
  const ledFrom = new Map<Schema, Schema[]>();
  const open: Schema[] = [root];
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    if (reached.has(schema)) continue;
    reached.add(schema);
    const next = [...schemasUnder(schema, sameValue), ...schemasUnder(schema, parts), ...referred(root, schema)];
    for (const to of next) ledFrom.set(to, [...(ledFrom.get(to) ?? []), schema]);
    open.push(...next);
  }
  const leading = new Set<Schema>();
  const back = [...marked].filter((schema) => reached.has(schema));
  for (let schema = back.pop(); schema !== undefined; schema = back.pop()) {
    if (leading.has(schema)) continue;
    leading.add(schema);
    back.push(...(ledFrom.get(schema) ?? []));
  }
  const together = (schemas: readonly unknown[]): readonly Schema[] => {
    const found = new Set<Schema>();
    const ahead = schemas.filter((schema): schema is Schema => isSchema(schema) && leading.has(schema));
    for (let schema = ahead.pop(); schema !== undefined; schema = ahead.pop()) {
      if (found.has(schema)) continue;
      found.add(schema);
      ahead.push(...[...schemasUnder(schema, sameValue), ...referred(root, schema)].filter((to) => leading.has(to)));
    }
    return [...found];
  };
  const isOpaque = [...reached].some((schema) => refersElsewhere(root, schema));
  const exposed = isOpaque ? marked : pathSchemas(root, definitions);
  return {
    root,
    together,
    paths: [...marked].filter((schema) => reached.has(schema)),
    unreached: [...exposed].filter((schema) => !reached.has(schema)),
  };
}

function schemasUnder(schema: Schema, keywords: readonly string[]): readonly Schema[] {
  return keywords.flatMap((keyword) => {
    const value = schema[keyword];
    if (Array.isArray(value)) return value.filter(isSchema);
    if (!isSchema(value)) return [];
    return keyword === 'properties' || keyword === 'dependentSchemas' ? Object.values(value).filter(isSchema) : [value];
  });
}

/** What a `$ref` within the schema leads to; hosts embed what lies outside of it. */
function referred(root: Schema, {$ref}: Schema): readonly Schema[] {
  if (typeof $ref !== 'string' || !/^#(?:\/|$)/u.test($ref)) return [];
  const names = $ref.slice(1).split('/').slice(1);
  const target = names.reduce<unknown>((value, name) => {
    const key = decoded(name).replaceAll('~1', '/').replaceAll('~0', '~');
    return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
      ? (value as Schema)[key]
      : undefined;
  }, root);
  return isSchema(target) ? [target] : [];
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A lone `%` encodes nothing.
    return part;
  }
}

/** Only a validator can resolve such a reference. */
function refersElsewhere(root: Schema, schema: Schema): boolean {
  return '$dynamicRef' in schema || ('$ref' in schema && referred(root, schema).length === 0);
}

const definitions: ReadonlySet<string> = new Set(['$defs', 'definitions']);

function pathSchemas(root: Schema, except: ReadonlySet<string> = new Set()): ReadonlySet<Schema> {
  const found = new Set<Schema>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const item of node) visit(item);
    if (!isSchema(node)) return;
    if (node['format'] === pathFormat) found.add(node);
    for (const [key, value] of Object.entries(node)) if (!dataKeywords.has(key) && !except.has(key)) visit(value);
  };
  visit(root);
  return found;
}
