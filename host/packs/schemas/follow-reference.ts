// Resolves a `$ref` within a self-contained schema, for code that reads schemas instead of validating with them.
import {memberOf, pointerParts} from './schema-index.ts';
import {isSchemaObject, type Schema} from './schema-keywords.ts';

/** Returns the schema itself unless it has a `$ref` to a definition of `root`. */
export function followReference(schema: Schema, root: Schema): Schema {
  const reference = schema['$ref'];
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return schema;
  const found = pointerParts(reference.slice(1)).reduce<unknown>(memberOf, root);
  return isSchemaObject(found) ? found : {};
}
