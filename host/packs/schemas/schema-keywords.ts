// Classifies the keywords of a JSON Schema, for walks that must not confuse data or names with schemas.

/** The values of these are data. */
export const dataKeywords: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);

/** The keys of these are names that the author chose. */
export const mapKeywords: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
  '$defs',
  'definitions',
]);

export type Schema = Readonly<Record<string, unknown>>;

/** `true` and `false` are schemas too, but contain nothing. */
export function isSchemaObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
