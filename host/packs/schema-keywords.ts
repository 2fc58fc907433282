// Which keywords of a JSON Schema hold what, for walks through one that must not take data or names for schemas.

/** What stands under these is data. */
export const dataKeywords: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);

/** Under these, each key is a name of the author's. */
export const mapKeywords: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
  '$defs',
  'definitions',
]);

export type Schema = Readonly<Record<string, unknown>>;

/** `true` and `false` are schemas, too, but hold nothing. */
export function isSchemaObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
